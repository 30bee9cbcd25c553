//! Which language a page is in that names none.

use super::language::{Language, Script};
use super::stop_words::stop_words;
use std::collections::HashSet;
use whatlang::Lang;

/// Characters of a text that are looked at: more tell nothing new.
const MAX_CHARS: usize = 4000;
/// Characters from which on one of the languages of an alphabet can be told from the others.
const MIN_CHARS: usize = 60;
/// The least stop words of a text in a language of the Latin alphabet, for want of a list letters with marks.
const MIN_PROOFS: usize = 4;

/// The language of a text, if the text tells it and the analyzer knows it.
///
/// Trigrams take code, names and lists of words for any language in Latin letters. So such a language counts
/// only where the text has its stop words too, and more of them than English ones: code and names do not.
pub fn detect(text: &str) -> Option<Language> {
    let text: String = text.chars().take(MAX_CHARS).collect();
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (latin, other): (Vec<char>, Vec<char>) =
        letters.partition(|&letter| Script::of(letter) == Script::Latin);
    if other.len() * 4 > latin.len() {
        // Docs in another script are full of code and names, which say nothing of their language.
        let is_other = |c: char| !c.is_alphabetic() || Script::of(c) != Script::Latin;
        let other: String = text
            .chars()
            .map(|c| if is_other(c) { c } else { ' ' })
            .collect();
        return known(whatlang::detect(&other)?);
    }
    if latin.len() < MIN_CHARS {
        return None;
    }
    let language = known(whatlang::detect(&text)?)?;
    let english = count(&text, stop_words(Language::English));
    let proofs = match stop_words(language) {
        "" => latin.iter().filter(|letter| !letter.is_ascii()).count(),
        list => count(&text, list),
    };
    (proofs >= MIN_PROOFS && (language == Language::English || proofs > english))
        .then_some(language)
}

/// The analyzer's name of a language.
fn known(found: whatlang::Info) -> Option<Language> {
    Some(match found.lang() {
        Lang::Ara => Language::Arabic,
        Lang::Cmn => Language::Chinese,
        Lang::Dan => Language::Danish,
        Lang::Nld => Language::Dutch,
        Lang::Eng => Language::English,
        Lang::Fin => Language::Finnish,
        Lang::Fra => Language::French,
        Lang::Deu => Language::German,
        Lang::Ell => Language::Greek,
        Lang::Hun => Language::Hungarian,
        Lang::Ita => Language::Italian,
        Lang::Jpn => Language::Japanese,
        Lang::Kor => Language::Korean,
        Lang::Nob => Language::Norwegian,
        Lang::Por => Language::Portuguese,
        Lang::Ron => Language::Romanian,
        Lang::Rus => Language::Russian,
        Lang::Spa => Language::Spanish,
        Lang::Swe => Language::Swedish,
        Lang::Tam => Language::Tamil,
        Lang::Tha => Language::Thai,
        Lang::Tur => Language::Turkish,
        _ => return None,
    })
}

/// How many words of a text are in a list.
fn count(text: &str, list: &str) -> usize {
    let list: HashSet<&str> = list.split_whitespace().collect();
    let words = text.split(|c: char| !c.is_alphabetic());
    words
        .filter(|word| list.contains(word.to_lowercase().as_str()))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<Language>) {
        assert_eq!(detect(text), expected, "{text}");
    }

    #[test]
    fn prose_tells_its_language() {
        check(
            "The server reads its settings from a file, and you can change them while it is running.",
            Some(Language::English),
        );
        check(
            "Der Server liest seine Einstellungen aus einer Datei, und man kann sie ändern, während er läuft.",
            Some(Language::German),
        );
        check(
            "Le serveur lit ses réglages dans un fichier, et vous pouvez les changer pendant qu’il tourne.",
            Some(Language::French),
        );
        check(
            "El servidor lee su configuración de un archivo, y se puede cambiar mientras está en marcha.",
            Some(Language::Spanish),
        );
        check(
            "O servidor lê as suas definições de um ficheiro, e você pode alterá-las enquanto ele está em execução.",
            Some(Language::Portuguese),
        );
        check(
            "Sunucu ayarlarını bir dosyadan okur ve çalışırken bunları değiştirebilirsiniz; yeniden başlatmak gerekmez.",
            Some(Language::Turkish),
        );
    }

    #[test]
    fn another_script_tells_it_beside_code() {
        check(
            "Сервер читает свои настройки из файла server.toml, и вы можете менять их, не останавливая его: serverctl reload --all.",
            Some(Language::Russian),
        );
        check(
            "サーバーは server.toml から設定を読み込みます。",
            Some(Language::Japanese),
        );
        check("服务器从 server.toml 读取设置。", Some(Language::Chinese));
        check(
            "서버는 server.toml 파일에서 설정을 읽습니다.",
            Some(Language::Korean),
        );
        check(
            "Ο διακομιστής διαβάζει τις ρυθμίσεις του από ένα αρχείο.",
            Some(Language::Greek),
        );
        check(
            "يقرأ الخادم إعداداته من ملف، ويمكن تغييرها أثناء التشغيل.",
            Some(Language::Arabic),
        );
    }

    #[test]
    fn code_and_names_are_no_language() {
        check(
            "fn main() { let mut total = 0; for value in list.iter() { total += value; } println!(\"{total}\"); }",
            None,
        );
        check(
            "Introduction Installation Configuration Administration Migration Documentation",
            None,
        );
        check(
            "Vec::push Vec::pop HashMap::insert HashMap::remove String::from Option::unwrap_or_default",
            None,
        );
        check(
            "SELECT id, name FROM users WHERE age > 18 ORDER BY name DESC LIMIT 10 OFFSET 20;",
            None,
        );
    }

    #[test]
    fn a_short_text_tells_nothing() {
        check("Die Methode", None);
        check("API", None);
        check("", None);
    }
}
