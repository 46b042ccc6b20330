//! Arguments of every type.

use std::collections::BTreeMap;

use mcpfn_sdk::{
    Argument, ToolArguments, mcp_tool,
    serde_json::{Value, json},
};

/// How urgent it is.
#[derive(Argument, Clone, Copy, Debug, PartialEq)]
#[arg(rename_all = "lowercase")]
enum Priority {
    Low,
    Normal,
    #[arg(name = "very-high")]
    High,
}

/// A place.
#[derive(Argument)]
struct Place {
    /// The name of the town.
    town: String,
    /// The floor, from the street.
    #[arg(min = -5, max = 200)]
    floor: Option<i32>,
}

impl Place {
    fn to_json(&self) -> Value {
        json!([self.town, self.floor])
    }
}

#[derive(ToolArguments)]
#[arg(rename_all = "camelCase")]
struct Order {
    /// What is ordered.
    #[arg(min_length = 1, max_length = 20, pattern = "^[a-z ]+$")]
    item_name: String,
    /// How many.
    #[arg(min = 1, max = 99, default = 1)]
    n_items: u8,
    /// Where it goes.
    place: Place,
    /// Where it may go as well.
    #[arg(max_items = 2)]
    other_places: Option<Vec<Place>>,
    /// How urgent it is.
    #[arg(default = "normal")]
    priority: Priority,
    /// Whom to tell.
    #[arg(format = "email")]
    email: Option<String>,
}

/// Takes flat arguments, and answers with what it understood.
#[mcp_tool]
fn takes_flat(
    /// A text.
    text: String,
    /// A whole number.
    count: i64,
    /// Any number.
    ratio: f64,
    /// Yes or no.
    flag: bool,
    /// Some texts.
    tags: Vec<String>,
    /// How urgent it is.
    priority: Priority,
    /// Several of them.
    priorities: Option<Vec<Priority>>,
    /// An object.
    extra: Option<Value>,
    plain: Option<u8>,
) -> Value {
    json!({
        "text": text, "count": count, "ratio": ratio, "flag": flag, "tags": tags,
        "priority": format!("{priority:?}"), "priorities": format!("{priorities:?}"),
        "extra": extra, "plain": plain,
    })
}

/// Takes an order, and answers with what it understood.
#[mcp_tool]
fn takes_order(order: Order) -> Value {
    json!({
        "itemName": order.item_name, "nItems": order.n_items, "place": order.place.to_json(),
        "otherPlaces": order.other_places.map(|places| places.iter().map(Place::to_json).collect::<Vec<_>>()), "priority": format!("{:?}", order.priority),
        "email": order.email,
    })
}

/// Takes constrained parameters, a nested one and a map.
#[mcp_tool]
fn takes_constrained(
    /// A percentage.
    #[arg(min = 0, max = 100)]
    percent: f64,
    /// At least one, at most three.
    #[arg(min_items = 1, max_items = 3)]
    names: Vec<String>,
    /// A place.
    place: Option<Place>,
    /// Prices by name.
    prices: Option<BTreeMap<String, f64>>,
) -> Value {
    json!({ "percent": percent, "names": names, "place": place.map(|place| place.to_json()), "prices": prices })
}

mcpfn_sdk::functions![takes_flat, takes_order, takes_constrained];

fn main() {}
