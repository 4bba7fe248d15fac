//! `--shard N/M`: one part of the files, for checks that several machines share.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

/// One of several parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shard {
    /// From 0.
    index: u64,
    of: u64,
}

/// Something else was written.
#[derive(Debug)]
pub(crate) struct NoShard;

impl std::error::Error for NoShard {}

impl fmt::Display for NoShard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a part and a number of parts are expected, such as `3/16`")
    }
}

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(written: &str) -> Result<Self, NoShard> {
        let (index, of) = written.split_once('/').ok_or(NoShard)?;
        let (index, of): (u64, u64) = (index.parse().map_err(|_| NoShard)?, of.parse().map_err(|_| NoShard)?);
        if index == 0 || index > of { Err(NoShard) } else { Ok(Shard { index: index - 1, of }) }
    }
}

impl Shard {
    /// Whether a file belongs to it. This is the same on every machine and in every version.
    pub(crate) fn has(self, name: &str) -> bool {
        let hash = Sha256::digest(name.replace('\\', "/").as_bytes());
        let first = hash.iter().take(8).fold(0, |number: u64, byte| (number << 8) | u64::from(*byte));
        first % self.of == self.index
    }
}
