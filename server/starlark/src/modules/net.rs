//! `@ytt:ip`

use std::net::IpAddr;

use lofting_interpreter::Value;

use super::Args;
use crate::failure::{Result, fail};
use crate::object::{ObjectKind, Ours, object};

pub(super) fn invoke(args: Args) -> Result<Value> {
    args.exactly(1)?;
    match args.name {
        "ip.parse_addr" => {
            let text = args.text(0)?;
            match text.parse::<IpAddr>() {
                // An IPv4 address that is mapped into IPv6 is an IPv4 address.
                Ok(address) => Ok(object(ObjectKind::Address(address.to_canonical()), Vec::new())),
                Err(_) => fail(format!("ip.parse_addr: invalid IP address: {text}")),
            }
        }
        "ip.parse_cidr" => {
            let text = args.text(0)?;
            let Ok(network) = text.parse::<ipnet::IpNet>() else {
                return fail(format!("ip.parse_cidr: invalid CIDR address: {text}"));
            };
            let address = object(ObjectKind::Address(network.addr()), Vec::new());
            let net = object(ObjectKind::Network(network.network(), network.prefix_len()), Vec::new());
            Ok(Value::tuple(vec![address, net]))
        }
        _ => {
            let Some(ours) = Ours::of(args.first()) else { return fail("ip: no address") };
            match (args.name, ours.kind) {
                ("ip.addr.is_ipv4", ObjectKind::Address(address)) => Ok(Value::Bool(address.is_ipv4())),
                ("ip.addr.is_ipv6", ObjectKind::Address(address)) => Ok(Value::Bool(address.is_ipv6())),
                ("ip.net.addr", ObjectKind::Network(address, _)) => {
                    Ok(object(ObjectKind::Address(*address), Vec::new()))
                }
                (_, kind) => Ok(kind.address_text().into()),
            }
        }
    }
}
