//! `@ytt:ip`

use std::net::IpAddr;

use starlark::eval::Evaluator;
use starlark::values::Value;
use starlark::values::tuple::AllocTuple;

use super::Args;
use crate::failure::{Result, fail};
use crate::object::{Object, ObjectKind};

pub(super) fn invoke<'v>(args: Args<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
    let heap = eval.heap();
    args.exactly(1)?;
    match args.name {
        "ip.parse_addr" => {
            let text = args.text(0)?;
            match text.parse::<IpAddr>() {
                // An IPv4 address that is mapped into IPv6 is an IPv4 address.
                Ok(address) => Ok(heap.alloc(Object::new(ObjectKind::Address(address.to_canonical()), Vec::new()))),
                Err(_) => fail(format!("ip.parse_addr: invalid IP address: {text}")),
            }
        }
        "ip.parse_cidr" => {
            let text = args.text(0)?;
            let Ok(network) = text.parse::<ipnet::IpNet>() else {
                return fail(format!("ip.parse_cidr: invalid CIDR address: {text}"));
            };
            let address = heap.alloc(Object::new(ObjectKind::Address(network.addr()), Vec::new()));
            let net = heap.alloc(Object::new(ObjectKind::Network(network.network(), network.prefix_len()), Vec::new()));
            Ok(heap.alloc(AllocTuple([address, net])))
        }
        _ => {
            let Some(object) = Object::from_value(args.first()) else { return fail("ip: no address") };
            match (args.name, object.kind()) {
                ("ip.addr.is_ipv4", ObjectKind::Address(address)) => Ok(Value::new_bool(address.is_ipv4())),
                ("ip.addr.is_ipv6", ObjectKind::Address(address)) => Ok(Value::new_bool(address.is_ipv6())),
                ("ip.net.addr", ObjectKind::Network(address, _)) => {
                    Ok(heap.alloc(Object::new(ObjectKind::Address(*address), Vec::new())))
                }
                _ => Ok(heap.alloc_str(&object.to_string()).to_value()),
            }
        }
    }
}
