//! The weather of a service, and charts that a worker draws. What is asked and left for later is declared; where the
//! service is and which key it wants, only the host knows.

use mcpfn_sdk::{Out, ToolOutput, http_input, mcp_tool, queue_output};
use serde::{Deserialize, Serialize};

/// What the service says of a town.
#[derive(Deserialize)]
struct Observed {
    temperature: f64,
    sky: String,
}

/// The weather of a town.
#[derive(ToolOutput)]
struct Weather {
    /// Degrees Celsius.
    temperature: f64,
    /// What the sky looks like.
    sky: String,
    /// Whether to take an umbrella.
    umbrella: bool,
}

/// What a worker needs to know.
#[derive(Serialize)]
struct Chart {
    town: String,
    days: u32,
}

/// Tells the weather of a town.
#[mcp_tool(read_only = true)]
fn get_weather(
    /// The town.
    town: String,
    #[http_input(
        connection = "Weather",
        path = "/{mcptoolargs.town}.json",
        headers(accept = "application/json")
    )]
    observed: Option<Observed>,
) -> Result<Weather, String> {
    let Some(Observed { temperature, sky }) = observed else {
        return Err(format!("Nobody knows the weather of `{town}`."));
    };
    Ok(Weather { umbrella: sky.contains("rain"), temperature, sky })
}

/// Has a chart of the weather drawn. It takes minutes, so a worker does it.
#[mcp_tool]
fn order_chart(
    /// The town.
    town: String,
    /// How many days it shows.
    #[arg(min = 1, max = 31, default = 7)]
    days: u32,
    #[queue_output(queue_name = "charts")] chart: Out<Chart>,
) -> String {
    let answer = format!("A chart of {days} days of `{town}` is being drawn.");
    chart.set(Chart { town, days });
    answer
}

mcpfn_sdk::functions![get_weather, order_chart];

#[cfg(test)]
mod tests {
    use super::{Chart, Observed, get_weather, order_chart};
    use mcpfn_sdk::Out;

    #[test]
    fn rain_is_weather_for_an_umbrella() {
        let observed = Observed { temperature: 12.5, sky: "light rain".to_owned() };
        assert!(get_weather("Ulm".to_owned(), Some(observed)).is_ok_and(|told| told.umbrella));
        let error = get_weather("Ulm".to_owned(), None).err();
        assert_eq!(error.as_deref(), Some("Nobody knows the weather of `Ulm`."));
    }

    #[test]
    fn a_chart_is_left_for_a_worker() {
        let chart: Out<Chart> = Out::new();
        let answer = order_chart("Ulm".to_owned(), 7, chart);
        assert_eq!(answer, "A chart of 7 days of `Ulm` is being drawn.");
    }
}
