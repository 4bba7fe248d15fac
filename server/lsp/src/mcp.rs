//! The engine as tools for coding agents: the Model Context Protocol on standard input and output.
//!
//! A tool answers from the files as they are at that moment: each call looks at the folder again, so no answer is about an
//! older text. Names of files lead no further than the folder and its repository, and nothing is written unless the user
//! permits it when the server starts.

mod folder;
mod tools;

pub(crate) use folder::Folder;

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::anyhow;
use parking_lot::Mutex;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ServerHandler, ServiceExt};
use serde_json::Value;

/// What a model reads before it calls anything.
const INSTRUCTIONS: &str = "Checks, explains, completes and fixes YAML that a schema describes: Kubernetes, ytt, JSON \
    Schema, OpenChoreo. Call `check` after each change of a YAML file. Answers name the version of the text that they are \
    about: pass it as `version` to make sure that the text is still the same. Lines and columns are counted from 1.";

/// Serves one client until it closes standard input.
pub(crate) fn serve_stdio(folder: Folder) -> std::io::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
    let served = runtime.block_on(async {
        let server = Server { folder: Arc::new(Mutex::new(folder)) };
        let running = server.serve((tokio::io::stdin(), tokio::io::stdout())).await.map_err(std::io::Error::other)?;
        running.waiting().await.map_err(std::io::Error::other)
    });
    // A thread may still be blocked reading stdin, which cannot be interrupted; it must not keep the process alive.
    runtime.shutdown_background();
    served.map(|_| ExitCode::SUCCESS)
}

/// The tools over a folder. Calls are answered one after the other.
struct Server {
    folder: Arc<Mutex<Folder>>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("lofting", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::ALL.iter().map(tools::ToolOfOurs::described).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::named(name).map(tools::ToolOfOurs::described)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = tools::named(&request.name) else {
            return Err(ErrorData::invalid_params(format!("there is no tool {:?}", request.name), None));
        };
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let folder = self.folder.clone();
        let (answered, answer) = tokio::sync::oneshot::channel();
        // Deeply nested text needs the stack of the other threads that check.
        let thread = std::thread::Builder::new().name("tool".to_owned()).stack_size(lofting_eval::STACK);
        let started = thread.spawn(move || answered.send((tool.call)(&folder.lock(), arguments)));
        let answer = match started {
            Ok(_) => answer.await.unwrap_or_else(|_| Err(anyhow!("the tool failed: please report this"))),
            Err(error) => Err(anyhow!("cannot start a thread: {error}")),
        };
        Ok(match answer {
            Ok(value) => CallToolResult::structured(value).into(),
            Err(why) => CallToolResult::error(vec![ContentBlock::text(format!("{why:#}"))]).into(),
        })
    }
}
