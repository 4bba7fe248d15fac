//! Texts that are not final: a program that runs before the document is read puts something in place of a part of them.

/// Whether something is put in place of the text or a part of it: `${NAME}` (`envsubst`, Flux, Compose), `$(name)`
/// (Azure, Kustomize, Kubernetes), `{{ name }}` and `{% if %}` (Go, Helm, Jinja, Argo, GitHub), `<% %>`, and as a whole
/// `$NAME`, `$[ name ]`, `<< name >>` (CircleCI), `((name))` (Concourse), `#{name}#`, `@name@` and `ENC[…]` (SOPS).
pub fn is_substituted(text: &str) -> bool {
    may_be(text) && (is_partly(text) || text.trim().strip_prefix('$').is_some_and(is_name))
}

/// Whether something is put in place of a part of a key. `$NAME` is not replaced there: keys such as `$ref` begin like
/// this.
pub fn is_substituted_key(text: &str) -> bool {
    may_be(text) && is_partly(text)
}

/// Whether one of the characters with which marks begin or end occurs. Most texts have none.
fn may_be(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, b'$' | b'{' | b'<' | b'(' | b'[' | b'@'))
}

/// Pairs of marks between which a name or an expression is written, anywhere in a text.
const ANYWHERE: [(&str, &str); 5] = [("${", "}"), ("?{", "}"), ("{{", "}}"), ("{%", "%}"), ("<%", "%>")];

/// Pairs of marks around a whole text.
const WHOLE: [(&str, &str); 4] = [("$[", "]"), ("<<", ">>"), ("((", "))"), ("ENC[", "]")];

fn is_partly(text: &str) -> bool {
    let is_between = |(begin, end): &(&str, &str)| {
        let mut begun = text.match_indices(begin).map(|(at, _)| &text[at + begin.len()..]);
        // `${{` has two braces to close.
        begun.any(|rest| rest.contains(end) && !(*begin == "${" && rest.starts_with('{')))
    };
    let trimmed = text.trim();
    let is_around = |(begin, end): &(&str, &str)| {
        trimmed.strip_prefix(begin).and_then(|rest| rest.strip_suffix(end)).is_some_and(|inner| !inner.is_empty())
    };
    let named = |begin: &str, end: &str| {
        trimmed.strip_prefix(begin).and_then(|rest| rest.strip_suffix(end)).is_some_and(is_name)
    };
    ANYWHERE.iter().any(is_between)
        || WHOLE.iter().any(is_around)
        || named("@", "@")
        || named("#{", "}#")
        || named("#{", "}")
        || text
            .match_indices("$(")
            .any(|(at, begin)| text[at + begin.len()..].split_once(')').is_some_and(|(inner, _)| is_name(inner.trim())))
}

/// A name of a variable, with parts (`steps.build.tag`).
fn is_name(text: &str) -> bool {
    text.bytes().next().is_some_and(|byte| byte == b'_' || byte.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_marks_are_not_final() {
        for text in [
            "${PORT}",
            "${PORT:=80}",
            "${PORT:-${OTHER}}",
            "$PORT",
            "$(replicas)",
            "$(params.replicas)",
            "$[variables.count]",
            "${{ inputs.minutes }}",
            "{{ .Values.replicas }}",
            "{{=it}}",
            "a-{{ x }}-b",
            "{% if x %}1{% endif %}",
            "<%= count %>",
            "<< parameters.count >>",
            "((count))",
            "#{Count}#",
            "#{Count}",
            "@count@",
            "ENC[AES256_GCM,data:x,type:int]",
            "?{gpg:targets/prod/password:7f90b2db}",
            "${A}\n${B}",
        ] {
            assert!(is_substituted(text), "{text}");
        }
    }

    #[test]
    fn other_texts_are_final() {
        for text in [
            "",
            "a",
            "$",
            "$1",
            "100$",
            "$(date +%s)",
            "a $PORT",
            "{a}",
            "^[a-z]+$",
            "a@b",
            "@",
            "@@",
            "<<",
            "(( ))x",
            "#",
            "()",
            "$()",
            "${{ matrix.x }",
            "${{ true",
        ] {
            assert!(!is_substituted(text), "{text}");
        }
        for key in ["$ref", "$schema", "<<", "$patch"] {
            assert!(!is_substituted_key(key), "{key}");
        }
    }
}
