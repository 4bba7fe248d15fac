//! The change of a file as a patch that `git apply` and `patch -p1` accept.

use similar::TextDiff;

use crate::terminal;

/// The lines that differ, with context; empty if there are none.
pub(crate) fn patch(name: &str, before: &str, after: &str) -> String {
    let name = terminal::line(name);
    let diff = TextDiff::from_lines(before, after);
    diff.unified_diff().header(&format!("a/{name}"), &format!("b/{name}")).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_with_their_context() {
        assert_eq!(patch("a.yml", "a: 1\n", "a: 1\n"), "");
        let before = "a:   1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\ng: 7\nh: 8\ni: 9 \nj:   1";
        let after = "a: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\ng: 7\nh: 8\ni: 9\nj: 1\n";
        let wanted = "--- a/a.yml\n+++ b/a.yml\n@@ -1,4 +1,4 @@\n-a:   1\n+a: 1\n b: 2\n c: 3\n d: 4\n@@ -6,5 +6,5 @@\n \
                      f: 6\n g: 7\n h: 8\n-i: 9 \n-j:   1\n\\ No newline at end of file\n+i: 9\n+j: 1\n";
        assert_eq!(patch("a.yml", before, after), wanted);
    }

    /// `patch` accepts the patch and produces the new text.
    #[test]
    fn a_patch_can_be_applied() {
        let directory = tempfile::tempdir().expect("a directory");
        let line = |odd: &str, n: usize| format!("{}{n}\n", if n.is_multiple_of(7) { odd } else { "" });
        let text = |odd: &str| (0..400).map(|n| line(odd, n)).collect::<String>() + odd;
        let (before, after) = (text("a"), text("b"));
        std::fs::write(directory.path().join("x.yml"), &before).expect("it can be written");
        std::fs::write(directory.path().join("x.patch"), patch("x.yml", &before, &after)).expect("it can be written");
        let apply = std::process::Command::new("git").args(["apply", "x.patch"]).current_dir(&directory).status();
        match apply {
            Ok(status) => assert!(status.success()),
            Err(_) => return,
        }
        assert_eq!(std::fs::read_to_string(directory.path().join("x.yml")).expect("it is there"), after);
    }
}
