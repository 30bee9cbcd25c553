//! What the analyzer promises, by kind of text.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::{Analyzer, Language, MAX_TERM_BYTES, Token, TokenKind};

/// Every token as `term@position`, with `*` behind a part.
fn tokens(language: Language, text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    Analyzer::new(language).analyze(text, &mut |token| {
        let mark = if token.kind == TokenKind::Part {
            "*"
        } else {
            ""
        };
        tokens.push(format!("{}@{}{mark}", token.term, token.position));
    });
    tokens
}

fn terms(language: Language, text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    Analyzer::new(language).analyze(text, &mut |token| terms.push(token.term.to_string()));
    terms
}

#[track_caller]
fn check_tokens(text: &str, expected: &str) {
    assert_eq!(
        tokens(Language::English, text).join(" "),
        expected,
        "{text}"
    );
}

#[track_caller]
fn check_terms(language: Language, text: &str, expected: &str) {
    assert_eq!(terms(language, text).join(" "), expected, "{text}");
}

#[track_caller]
fn check_same(language: Language, one: &str, other: &str) {
    assert_eq!(
        terms(language, one),
        terms(language, other),
        "{one} and {other}"
    );
}

/// A reader who types `query` finds a page that holds `page`.
#[track_caller]
fn check_finds(language: Language, query: &str, page: &str) {
    let page_terms = terms(language, page);
    let query_terms = terms(language, query);
    assert!(
        query_terms.iter().any(|term| page_terms.contains(term)),
        "{query}: {query_terms:?} not in {page_terms:?}"
    );
}

/// What the tokens cut out of the text.
#[track_caller]
fn check_cuts(text: &str, expected: &[&str]) {
    let mut cuts = Vec::new();
    Analyzer::new(Language::English).analyze(text, &mut |token| {
        cuts.push(&text[token.start_bytes..token.end_bytes]);
    });
    assert_eq!(cuts, expected, "{text}");
}

#[test]
fn words_are_stemmed_and_counted() {
    check_tokens(
        "The servers were RESTARTED.",
        "the@0 server@1 were@2 restart@3",
    );
}

#[test]
fn an_identifier_is_found_whole_and_by_its_parts() {
    check_tokens("maxIdleTime", "maxidletim@0 max@0* idl@1* time@2*");
    check_tokens("buffer_limit x", "bufferlimit@0 buffer@0* limit@1* x@2");
    check_tokens("HTTPServer", "httpserver@0 http@0* server@1*");
    check_tokens("Vec::push", "vec::push@0 vec@0* push@1*");
    check_tokens("Cargo.toml", "cargo.toml@0 cargo@0* toml@1*");
    check_tokens("foo/barBaz", "foo/barbaz@0 foo@0* barbaz@1* bar@1* baz@2*");
    check_tokens("a@b", "a@b@0 a@0* b@1*");
    check_tokens("__init__()", "init@0");
}

#[test]
fn spellings_of_an_identifier_are_one() {
    check_same(Language::English, "max_idle_time", "maxIdleTime");
    check_same(Language::English, "max-idle-time", "MAX_IDLE_TIME");
    check_same(Language::English, "utf8", "UTF-8");
    check_finds(Language::English, "maxidletime", "maxIdleTime");
    check_finds(Language::English, "frontend", "front-end");
    check_finds(Language::English, "idle", "maxIdleTime");
}

#[test]
fn short_names_with_digits_keep_together() {
    check_tokens(
        "E0502 u32 x86 3D 2FA S3",
        "e0502@0 u32@1 x86@2 3d@3 2fa@4 s3@5",
    );
    check_tokens("sha256", "sha256@0 sha@0* 256@1*");
    check_tokens("1-2", "1@0 2@1");
}

#[test]
fn plurals_of_abbreviations_keep_together() {
    check_tokens("IDs APIs URL", "id@0 api@1 url@2");
}

#[test]
fn a_dash_before_an_option_is_no_part_of_it() {
    check_tokens("--release", "releas@0");
    check_same(Language::English, "--dry-run", "-dry-run");
    check_finds(Language::English, "--dry-run", "Use `sync --dry-run`.");
}

#[test]
fn signs_that_belong_to_a_name_stay() {
    check_tokens("C++ and C# or C", "c++@0 and@1 c#@2 or@3 c@4");
    check_tokens("C/C++", "c/c++@0 c@0* c++@1*");
    check_tokens("libstdc++", "libstdc++@0 libstdc@0*");
    check_tokens(".NET", ".net@0 net@0*");
    check_tokens("C++17, F#.", "c++@0 17@1 f#@2");
    check_tokens("Install#", "instal@0");
    check_tokens("a.b .await?", "a.b@0 a@0* b@1* .await@2 await@2*");
    check_tokens("x\n  .map(f)", "x@0 map@1 f@2");
    check_same(Language::English, "Ｃ＃ Ｃ＋＋ Ａ．Ｂ", "C# C++ A.B");
}

#[test]
fn a_version_has_one_form() {
    check_tokens("7.4.2", "7.4.2@0 7@0* 4@1* 2@2*");
    check_same(Language::English, "v7.4.2", "7.4.2");
    check_tokens("v2", "v2@0");
}

#[test]
fn apostrophes_are_one_sign() {
    check_terms(
        Language::English,
        "O'Brien O’Brien OʼBRIEN O＇Brien",
        "obrien obrien obrien obrien",
    );
    check_terms(Language::English, "O’Brien’s", "obrien");
    check_terms(Language::English, "'quoted' the users'", "quot the user");
    check_terms(Language::English, "Cargo.toml's", "cargo.toml cargo toml");
    check_terms(Language::Turkish, "İstanbul’da", "istanbul");
}

#[test]
fn shortened_verbs_leave_the_pronoun() {
    check_terms(Language::English, "we'll I’d you're", "we i you");
}

#[test]
fn elided_articles_are_no_part_of_the_noun() {
    check_terms(
        Language::Other,
        "L’installation d'Artagnan qu’il dell'arte",
        "installation artagnan il arte",
    );
    check_cuts("L’installation", &["installation"]);
}

#[test]
fn a_negated_verb_is_a_stop_word() {
    let analyzer = Analyzer::new(Language::English);
    for word in ["don't", "don’t", "Can't", "isn't", "doesn’t"] {
        analyzer.analyze(word, &mut |token| {
            assert!(analyzer.is_stop_word(token.term), "{word}")
        });
        assert_eq!(terms(Language::English, word).len(), 1);
    }
}

#[test]
fn question_words_are_stop_words() {
    let english = "What how when why where which who does do should can could would I is are it my";
    let russian =
        "Что как когда почему зачем где какой какая ли нужно можно я мне это для чего сколько";
    for (language, words) in [(Language::English, english), (Language::Russian, russian)] {
        let analyzer = Analyzer::new(language);
        analyzer.analyze(words, &mut |token| {
            assert!(analyzer.is_stop_word(token.term), "{}", token.term);
        });
    }
}

#[test]
fn content_words_are_no_stop_words() {
    let english =
        "use uses set get server index id ill well-known shell error new make work file value";
    let russian = "сервер индекс ошибка настройка файл работа значение использовать";
    for (language, words) in [(Language::English, english), (Language::Russian, russian)] {
        let analyzer = Analyzer::new(language);
        analyzer.analyze(words, &mut |token| {
            assert!(!analyzer.is_stop_word(token.term), "{}", token.term);
        });
    }
}

#[test]
fn stop_words_stay_in_the_stream() {
    check_tokens("from to", "from@0 to@1");
}

#[test]
fn every_language_stems_its_own_script() {
    check_terms(Language::Russian, "настройки серверов", "настройк сервер");
    check_same(Language::Russian, "счетчик", "СЧЁТЧИК");
    check_same(Language::Russian, "чаи\u{306}ник", "чайник");
    check_terms(Language::Other, "настройки servers", "настройки servers");
}

#[test]
fn words_of_another_script_are_stemmed_as_english_or_russian() {
    check_terms(Language::Russian, "кластеры Servers", "кластер server");
    check_terms(Language::English, "servers кластеры", "server кластер");
    check_terms(Language::Chinese, "servers", "server");
}

#[cfg(feature = "all-languages")]
#[test]
fn accents_are_optional() {
    check_same(Language::from_tag("cs"), "priklad", "Pr\u{30c}i\u{301}klad");
    check_same(Language::German, "STRASSENSPERRE", "Straßensperre");
    check_same(Language::French, "prélèvement", "prelevement");
    check_same(Language::Turkish, "izmir", "İZMİR");
    check_same(Language::Arabic, "المُسْتَخْدِم", "المستخدم");
}

#[test]
fn unspaced_scripts_give_pairs() {
    check_tokens("反向代理", "反向@0 向代@1 代理@2");
    check_tokens("书。", "书@0");
    check_tokens("ＨＤＭＩ接続", "hdmi@0 接続@1");
    check_tokens("かﾞだ", "がだ@0");
    // A vowel sign belongs to its consonant.
    check_tokens("ผู้ใช้", "ผู้ใ@0 ใช้@1");
}

#[test]
fn a_korean_word_is_found_without_its_particles() {
    check_tokens(
        "설치하려면 끝",
        "설치하려면@0 설치@0* 치하@1* 하려@2* 려면@3* 끝@4",
    );
    check_tokens("설치", "설치@0");
    check_same(
        Language::Korean,
        "\u{1109}\u{1165}\u{11af}\u{110e}\u{1175}",
        "설치",
    );
    check_tokens("API를", "api@0 를@1");
}

#[test]
fn tokens_cut_the_word_itself() {
    check_cuts(
        "“Build” fails — the linker’s",
        &["Build", "fails", "the", "linker"],
    );
    check_cuts("ﬁle_X v1.2", &["ﬁle_X", "ﬁle", "X", "1.2", "1", "2"]);
}

#[test]
fn text_without_words_gives_nothing() {
    for text in [
        "",
        " \n",
        "😀👩‍👩‍👧 ☃️",
        "\u{301}\u{640}",
        "+++ -- ... ::: ###",
        "''’’",
        "\u{200d}",
    ] {
        assert_eq!(terms(Language::English, text), [""; 0], "{text:?}");
    }
}

#[test]
fn a_mark_that_stands_alone_takes_no_position() {
    check_tokens("A \u{fe70} b", "a@0 b@1");
}

#[test]
fn a_word_of_a_megabyte_gives_bounded_terms() {
    for piece in [
        "a", "aB", "a_", "a.", "a'", "я", "中", "한", "a\u{301}", "9", "C++/",
    ] {
        let text = piece.repeat(1_000_000 / piece.len());
        let mut count = 0;
        Analyzer::new(Language::English).analyze(&text, &mut |token| {
            assert!(!token.term.is_empty() && token.term.len() <= MAX_TERM_BYTES);
            count += 1;
        });
        assert!(count > 0, "{piece}");
    }
}

/// Pieces that meet in documentation, so that generated texts are not only rare characters.
const PIECES: &[&str] = &[
    "a",
    "Config",
    "HTTP",
    "s",
    "ing",
    "l",
    "v1",
    "2",
    "0",
    "_",
    "-",
    ".",
    "::",
    "/",
    "'",
    "’",
    "+",
    "#",
    " ",
    "\n",
    "ß",
    "İ",
    "é",
    "e\u{301}",
    "й",
    "ё",
    "настройки",
    "反向",
    "が",
    "ｶﾞ",
    "ู้",
    "ก",
    "한",
    "\u{1112}\u{1161}",
    "ا",
    "ُ",
    "ـ",
    "ש",
    "ﬁ",
    "😀",
    "\u{200d}",
    "Ｃ",
    "＃",
    "²",
    "½",
];

fn documentation() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::collection::vec(proptest::sample::select(PIECES), 0..24)
            .prop_map(|pieces| pieces.concat()),
        "\\PC{0,24}",
    ]
}

proptest! {
    // The same texts in every run: a failure is to be met when the code changes, not by chance.
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn offsets_cut_what_the_term_was_made_of(text in documentation(), language in proptest::sample::select(Language::all())) {
        let analyzer = Analyzer::new(language);
        let mut previous: Option<(u32, usize)> = None;
        let mut failure = None;
        analyzer.analyze(&text, &mut |token: Token<'_>| {
            let Some(cut) = text.get(token.start_bytes..token.end_bytes) else {
                failure = Some(format!("{token:?} is no cut"));
                return;
            };
            // What was cut out gives the term again: a part of a pair may be cut into less by itself.
            let again = terms(language, cut);
            let short_name = token.kind == TokenKind::Part || again.iter().any(|term| term == token.term);
            if cut.is_empty() || !short_name || token.term.len() > MAX_TERM_BYTES {
                failure = Some(format!("{token:?} from {cut:?}, which gives {again:?}"));
            }
            if let Some((position, start)) = previous {
                if token.position < position || token.position > position + 1 || token.start_bytes < start {
                    failure = Some(format!("{token:?} after {position}, {start}"));
                }
            }
            previous = Some((token.position, token.start_bytes));
        });
        prop_assert_eq!(failure, None);
    }
}
