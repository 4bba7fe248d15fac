//! Webhooks that admit resources (`validateWebhook`).

use super::decoded::Decoded;
use super::look::{Look, PORTS, SUBDOMAIN};
use super::selectors::selector;

const OPERATIONS: [&str; 5] = ["*", "CREATE", "UPDATE", "DELETE", "CONNECT"];

pub(super) fn webhooks(resource: &Decoded<'_>, look: &mut Look) {
    let webhooks = resource.items("webhooks");
    look.unique_at(&webhooks, "name", "the webhook");
    for webhook in &webhooks {
        let is_qualified = |name: &str| (SUBDOMAIN.0)(name) && name.split('.').count() > 2;
        look.form(
            webhook,
            "name",
            (is_qualified, "a name of at least three parts with periods between them, such as `check.example.com`"),
        );
        look.number(webhook, "timeoutSeconds", 1..=30);
        look.has_items(webhook, "admissionReviewVersions");
        for key in ["namespaceSelector", "objectSelector"] {
            if let Some(own) = webhook.key(key) {
                selector(&own, look);
            }
        }
        if let Some(client) = webhook.key("clientConfig") {
            look.exactly_one(&client, &["url", "service"]);
            look.form(&client, "url", (|url| url.starts_with("https://"), "an address that begins with `https://`"));
            if let Some(service) = client.key("service") {
                for key in ["name", "namespace"] {
                    look.filled(&service, key);
                }
                look.number(&service, "port", PORTS);
                look.form(&service, "path", (|path| path.starts_with('/'), "a path that begins with `/`"));
            }
        }
        for rule in webhook.items("rules") {
            for key in ["operations", "apiGroups", "apiVersions", "resources"] {
                look.nonempty(&rule, key);
            }
            for operation in rule.items("operations") {
                look.formed(
                    &operation,
                    (|text| OPERATIONS.contains(&text), "`CREATE`, `UPDATE`, `DELETE`, `CONNECT` or `*`"),
                );
            }
        }
    }
}
