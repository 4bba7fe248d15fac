//! Probes and events of containers.

use super::containers::Order;
use super::decoded::Decoded;
use super::look::{Look, MOST};

const PROBES: [&str; 3] = ["livenessProbe", "readinessProbe", "startupProbe"];
const ACTIONS: [&str; 4] = ["exec", "httpGet", "tcpSocket", "grpc"];
const EVENTS: [&str; 2] = ["postStart", "preStop"];
const EVENT_ACTIONS: [&str; 4] = ["exec", "httpGet", "tcpSocket", "sleep"];
const TIMES: [&str; 5] =
    ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"];

pub(super) fn probes(container: &Decoded<'_>, order: Order, look: &mut Look) {
    // Containers that go on beside the others are probed like these.
    let ends = order == Order::Initial && container.lacks("restartPolicy");
    for key in PROBES {
        let Some(probe) = container.key(key) else { continue };
        let before = look.found.len();
        if ends {
            look.excluded(
                &probe,
                "has no place in a container that runs before the others, unless its `restartPolicy` is `Always`",
            );
            look.follows(before, container, &["restartPolicy"]);
        }
        look.exactly_one(&probe, &ACTIONS);
        action(&probe, look);
        look.numbers(&probe, &TIMES, &(0..=MOST));
        if key == "readinessProbe" {
            if let Some(grace) = probe.key("terminationGracePeriodSeconds") {
                look.excluded(&grace, "has no place in a `readinessProbe`, which ends nothing");
            }
        } else {
            look.number(&probe, "terminationGracePeriodSeconds", 1..=i128::from(i64::MAX));
            // Zero stands for the default.
            if probe.key("successThreshold").and_then(|field| field.int()).is_some_and(|number| number > 1) {
                look.number(&probe, "successThreshold", 1..=1);
            }
        }
    }
    let Some(lifecycle) = container.key("lifecycle") else { return };
    if ends {
        let before = look.found.len();
        look.excluded(
            &lifecycle,
            "has no place in a container that runs before the others, unless its `restartPolicy` is `Always`",
        );
        look.follows(before, container, &["restartPolicy"]);
    }
    for event in EVENTS.iter().filter_map(|key| lifecycle.key(key)) {
        look.exactly_one(&event, &EVENT_ACTIONS);
        action(&event, look);
    }
}

fn is_header(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

fn action(action: &Decoded<'_>, look: &mut Look) {
    if let Some(exec) = action.key("exec") {
        look.nonempty(&exec, "command");
    }
    for header in action.key("httpGet").map(|call| call.items("httpHeaders")).unwrap_or_default() {
        look.form(&header, "name", (is_header, "the name of a header: letters, digits and hyphens"));
    }
    for call in ["httpGet", "tcpSocket"].iter().filter_map(|key| action.key(key)) {
        look.filled(&call, "port");
        look.port(&call, "port");
    }
    if let Some(grpc) = action.key("grpc") {
        look.number(&grpc, "port", super::look::PORTS);
    }
}
