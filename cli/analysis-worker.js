/** One thread of {@link import("./analysis-pool.js").AnalysisPool}: content of files in, analysed files out. */

import { parentPort, workerData } from "node:worker_threads";
import { startBuilder } from "./builder.js";

const { module, config, overrides } = workerData;
const { SiteBuilder } = await startBuilder(module);
const builder = new SiteBuilder(config, overrides);
parentPort?.on("message", ({ id, name, bytes }) => {
  const analyzed = builder.analyze(name, bytes);
  parentPort?.postMessage({ id, analyzed }, [/** @type {ArrayBuffer} */ (analyzed.buffer)]);
});
