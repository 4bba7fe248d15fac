//! Limits on the nesting of source text, so that what reads it recursively never exhausts its stack.

use std::ops::Range;

use lofting_eval::{Token, TokenKind};

/// How deeply brackets may nest.
const MAX_BRACKETS: usize = lofting_eval::MAX_NESTING;
/// How many prefix operators or lambdas may follow each other.
const MAX_PREFIX: usize = 100;
/// How many operators, dots, calls and conditions one expression may chain without a comma.
const MAX_CHAIN: usize = 2000;
/// How long one logical line may be, in bytes.
const MAX_LINE: usize = 256 << 10;

/// Checks the tokens of one logical line.
pub(crate) fn check(text: &str, tokens: &[Token]) -> Result<(), (Range<usize>, String)> {
    if text.len() > MAX_LINE {
        return Err((0..text.len(), format!("this line of code is longer than {} KB", MAX_LINE >> 10)));
    }
    // For each open bracket, the length of the current chain.
    let mut chains = vec![0usize];
    let mut prefix = 0usize;
    let mut lambdas = 0usize;
    for token in tokens {
        let word = text.get(token.range.clone()).unwrap_or("");
        let mut links = 0;
        match token.kind {
            TokenKind::Punct("(" | "[" | "{") => {
                links = 1;
                prefix = 0;
            }
            TokenKind::Punct(")" | "]" | "}") => {
                if chains.len() > 1 {
                    chains.pop();
                }
                prefix = 0;
                lambdas = 0;
            }
            TokenKind::Punct(",") => {
                lambdas = 0;
                prefix = 0;
                if let Some(chain) = chains.last_mut() {
                    *chain = 0;
                }
            }
            TokenKind::Punct(":" | "=") => prefix = 0,
            TokenKind::Punct(_) => {
                links = 1;
                prefix += 1;
            }
            TokenKind::Name => match word {
                "lambda" => lambdas += 1,
                "not" => prefix += 1,
                "and" | "or" | "in" | "if" | "else" | "for" => {
                    links = 1;
                    prefix = 0;
                }
                _ => prefix = 0,
            },
            _ => prefix = 0,
        }
        if let Some(chain) = chains.last_mut() {
            *chain += links;
            if *chain > MAX_CHAIN {
                return Err((token.range.clone(), format!("this expression has more than {MAX_CHAIN} parts")));
            }
        }
        if matches!(token.kind, TokenKind::Punct("(" | "[" | "{")) {
            chains.push(0);
        }
        if chains.len() > MAX_BRACKETS + 1 || prefix > MAX_PREFIX || lambdas > MAX_PREFIX {
            let most = if chains.len() > MAX_BRACKETS { MAX_BRACKETS } else { MAX_PREFIX };
            return Err((token.range.clone(), format!("nested deeper than {most} levels")));
        }
    }
    Ok(())
}
