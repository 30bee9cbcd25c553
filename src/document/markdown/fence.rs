//! Tells code fences from the rest, line by line.

/// Knows whether the next line of a Markdown text is within fenced code.
#[derive(Debug, Default)]
pub(super) struct Fences {
    /// The mark and length of the fence that is open.
    open: Option<(u8, usize)>,
}

impl Fences {
    /// Takes the next line; true where it is code or a fence.
    pub(super) fn is_code(&mut self, line: &str) -> bool {
        let line = line.trim_start();
        // A fence may stand in a quotation.
        let line = line.trim_start_matches(['>', ' ']);
        let mark = line.bytes().next().unwrap_or(0);
        let length = line.bytes().take_while(|&byte| byte == mark).count();
        let is_fence = matches!(mark, b'`' | b'~') && length >= 3;
        match self.open {
            None if is_fence && !(mark == b'`' && line[length..].contains('`')) => {
                self.open = Some((mark, length));
                true
            }
            None => false,
            Some((open_mark, open_length)) => {
                let closes = is_fence
                    && mark == open_mark
                    && length >= open_length
                    && line[length..].trim().is_empty();
                if closes {
                    self.open = None;
                }
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut fences = Fences::default();
        let found: String = text
            .lines()
            .map(|line| if fences.is_code(line) { 'c' } else { '.' })
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_fence_ends_at_one_of_its_own_kind_and_length() {
        check("a\n```sh\n# b\n```\nc", ".ccc.");
        check("````\n```\n````\na", "ccc.");
        check("~~~\n```\n~~~\na", "ccc.");
        check("```js\nx\n```js\n```\na", "cccc.");
        check("`` ` ``\n```a``` b\nc", "...");
        check("- x\n  ```\n  y\n  ```\nz", ".ccc.");
    }
}
