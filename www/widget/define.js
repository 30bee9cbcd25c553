/** Registers `<groundling-search>`. The only module of the component with a side effect. */

import { GroundlingSearch } from "./widget.js";

GroundlingSearch.define();

export { GroundlingSearch };
