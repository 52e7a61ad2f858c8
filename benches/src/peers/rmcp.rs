//! rmcp: a server's `call_tool`, without a transport, once with the router kept
//! in the server and once with the handler that its macro writes by default,
//! which builds the router anew for every call.

use ::rmcp::{
    Json, RoleServer, ServerHandler,
    handler::server::{router::tool::ToolRouter, wrapper::Parameters},
    model::{CallToolRequestParams, CallToolResponse, JsonObject, RequestId},
    service::{Peer, RequestContext, serve_directly},
    tool, tool_handler, tool_router,
};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::runtime::Runtime;

use crate::{
    hand,
    harness::Row,
    with_fifty_names,
    workload::{Failure, Forecast, TOOL, arguments, is_answer},
};

#[derive(Deserialize, JsonSchema)]
struct Arguments {
    /// The city.
    city: String,
    /// How many days.
    days: Option<u32>,
}

/// Keeps its router.
struct Cached {
    tool_router: ToolRouter<Self>,
}

/// Does as the shortest example of the documentation does.
struct Default;

/// Lends its peer to the calls; a peer cannot be had without a running server.
struct Idle;

impl ServerHandler for Idle {}

macro_rules! declare {
    ($($function:ident $type:ident),* $(,)?) => {
        #[tool_router]
        impl Cached {
            $(
                /// Forecasts the weather of a city.
                #[tool]
                async fn $function(&self, Parameters(arguments): Parameters<Arguments>) -> Json<Forecast> {
                    Json(Forecast::new(arguments.city, arguments.days))
                }
            )*
        }

        #[tool_router(server_handler)]
        impl Default {
            $(
                /// Forecasts the weather of a city.
                #[tool]
                async fn $function(&self, Parameters(arguments): Parameters<Arguments>) -> Json<Forecast> {
                    Json(Forecast::new(arguments.city, arguments.days))
                }
            )*
        }
    };
}

with_fifty_names!(declare);

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Cached {}

pub(super) fn rows(runtime: &Runtime) -> Vec<Row> {
    let peer: &'static Peer<RoleServer> = Box::leak(Box::new(peer(runtime)));
    let cached: &'static Cached = Box::leak(Box::new(Cached {
        tool_router: Cached::tool_router(),
    }));
    vec![
        Row::new(
            "rmcp 3.11.0 `call_tool`, cached router",
            is_answer,
            move || call(cached, peer, TOOL, arguments()),
        )
        .compared_with(hand::PLAIN),
        Row::new(
            "rmcp 3.11.0 `call_tool`, default handler",
            is_answer,
            move || call(&Default, peer, TOOL, arguments()),
        )
        .compared_with(hand::PLAIN),
    ]
}

fn peer(runtime: &Runtime) -> Peer<RoleServer> {
    let _context = runtime.enter();
    let (client, server) = tokio::io::duplex(64);
    let running = serve_directly::<RoleServer, _, _, _, _>(Idle, server, None);
    let peer = running.peer().clone();
    // Both ends stay open for as long as the rows are called.
    Box::leak(Box::new((client, running)));
    peer
}

async fn call(
    server: &impl ServerHandler,
    peer: &Peer<RoleServer>,
    name: &'static str,
    arguments: &str,
) -> Result<String, Failure> {
    let arguments: JsonObject = serde_json::from_str(arguments)?;
    let request = CallToolRequestParams::new(name).with_arguments(arguments);
    let context = RequestContext::new(RequestId::Number(1), peer.clone());
    match server.call_tool(request, context).await? {
        CallToolResponse::Complete(result) => Ok(serde_json::to_string(&result)?),
        _ => Err("the call did not complete".into()),
    }
}
