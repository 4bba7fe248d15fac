//! Tables in Markdown whose columns are sizes of values files.

/// Lines of the files that the tables of docs/performance.md are about.
pub const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// The first two lines: what the cells are, and the sizes.
pub fn head(what: &str, sizes: impl ExactSizeIterator<Item = usize>) -> String {
    let rule = " ---: |".repeat(sizes.len());
    let sizes: String = sizes.map(|size| format!(" {size} lines |")).collect();
    format!("| {what} |{sizes}\n| --- |{rule}\n")
}

/// A line below them.
pub fn line(name: &str, cells: impl Iterator<Item = String>) -> String {
    let cells: String = cells.map(|cell| format!(" {cell} |")).collect();
    format!("| {name} |{cells}\n")
}
