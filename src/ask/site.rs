//! What a flow asks of the site that the question is about.

use super::confidence::Signals;
use super::offline;
use crate::answer::{Sentence, support};
use crate::prompt::{CitationMode, Passage, Prompt, Source};
use crate::search::{Searcher, TermWeights};

/// What becomes of an answer with a sentence that its sources do not bear out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SupportPolicy {
    /// The answer stands, and each of its sentences tells how far it is borne out.
    #[default]
    Report,
    /// It is withdrawn.
    Strict,
    /// Nothing is judged.
    Off,
}

/// Reads sources with the words of a site, which weigh what their rarity there says.
pub trait Site {
    /// Judges the sentences of a reply by the sources of its prompt, as [`support`] does.
    fn judge(&self, reply: &str, sources: &[Source]) -> Vec<Sentence>;

    /// Answers a prompt without a model, as [`offline::reply`] does.
    fn answer(&self, prompt: &Prompt) -> String;

    /// Whether the sources have enough of the question to answer it, as [`Signals`] tell.
    fn covers(&self, prompt: &Prompt) -> bool;

    /// The text of a passage's page; `None` where the site has no such page, as that of a passage of the caller's.
    fn page_text(&self, passage: &Passage) -> Option<String>;
}

impl<B: AsRef<[u8]>> Site for Searcher<B> {
    fn judge(&self, reply: &str, sources: &[Source]) -> Vec<Sentence> {
        support(reply, sources, &weights(self, sources))
    }

    fn answer(&self, prompt: &Prompt) -> String {
        let Prompt {
            asked,
            sources,
            refusal,
            ..
        } = prompt;
        let cites = prompt.citation_mode == CitationMode::Verified;
        offline::reply(asked, sources, &weights(self, sources), cites, refusal)
    }

    fn covers(&self, prompt: &Prompt) -> bool {
        let weights = weights(self, &prompt.sources);
        Signals::new(&prompt.asked, &prompt.sources, &weights).covers()
    }

    fn page_text(&self, passage: &Passage) -> Option<String> {
        let index = self.index();
        let page = index.page(index.page_of(passage.chunk_id).ok()?).ok()?;
        if page.url != passage.page() {
            return None;
        }
        let text = |id| Some(index.chunk(id).ok()?.text);
        let texts: Vec<&str> = page.chunks.map(text).collect::<Option<_>>()?;
        Some(texts.join("\n\n"))
    }
}

/// The weights of the words, as the language of the best source divides them; the site's main
/// language where the sources are the caller's. A reply is in the language of its sources, or hardly any of its
/// words are theirs.
fn weights<'a, B: AsRef<[u8]>>(searcher: &'a Searcher<B>, sources: &[Source]) -> TermWeights<'a> {
    let index = searcher.index();
    let language = sources.first().and_then(|source| {
        let page = index.page_of(source.passage.chunk_id).ok()?;
        Some(index.page(page).ok()?.language)
    });
    TermWeights {
        analyzer: searcher.analyzer(language.unwrap_or_default()),
        idf: searcher,
    }
}
