//! Chat completions as `OpenAI` has them, and as Ollama, llama.cpp, LM Studio, vLLM and gateways speak
//! them.

mod body;
mod reader;

pub use body::body;
pub use reader::Reader;
