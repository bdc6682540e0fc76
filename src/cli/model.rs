//! `model`: which model is set up, where it is asked and where its key comes from; `model test` asks it.
//! The key itself is never printed.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::base::display;
use crate::base::time::grouped;
use crate::cli::args::ModelAsked;
use crate::cli::failure::{Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::context::part::{Kind, Origin, Piece};
use crate::context::request::{Block, Message, Params, Request, Role};
use crate::llm::answer::{Answer, Event, Usage};
use crate::llm::client::Client;
use crate::llm::failure::Failure;
use crate::llm::http::place;
use crate::llm::provider::Provider;
use crate::llm::{Model, model_or_newest};

/// What is asked. The answer is of no matter; it has to be short.
const QUESTION: &str = "Answer with the one word: ready";

/// Tokens of the answer: a model that thinks first needs some for that.
const ANSWER: u32 = 64;

/// How long somebody who looks on waits for a first word.
const PATIENCE: Duration = Duration::from_mins(2);

pub fn run(
    opened: &Opened,
    asked: ModelAsked,
    json: bool,
    output: &mut Output,
) -> Result<(), Stop> {
    let client = Client::new(opened.provider()?);
    for warning in client.provider.warnings() {
        say(&format!("loci: {warning}"));
    }
    match asked {
        ModelAsked::Show => show(&client, json, output),
        ModelAsked::Test => test(client, json, output),
    }
}

#[derive(Serialize)]
struct Shape {
    provider: &'static str,
    /// Nothing: the newest that the provider lists.
    main: Option<String>,
    /// Nothing: as `main`.
    small: Option<String>,
    dream: Option<String>,
    base_url: String,
    base_url_from: &'static str,
    /// What answers.
    url: String,
    key_from: Option<String>,
    /// Tokens; nothing: the provider is asked.
    window: Option<u64>,
}

impl Shape {
    fn of(client: &Client) -> Self {
        let Provider {
            protocol,
            endpoint,
            endpoint_from,
            key: _,
            main,
            small,
            dream,
            window,
        } = client.provider.clone();
        Self {
            provider: protocol.word(),
            main,
            small,
            dream,
            base_url: endpoint.to_string(),
            base_url_from: endpoint_from.word(),
            url: url(client),
            key_from: key_from(client),
            window,
        }
    }
}

fn url(client: &Client) -> String {
    crate::llm::endpoint::shown(client.url().as_str())
}

fn key_from(client: &Client) -> Option<String> {
    let key = &client.provider.key;
    key.is_set().then(|| key.to_string())
}

fn show(client: &Client, json: bool, output: &mut Output) -> Result<(), Stop> {
    let shape = Shape::of(client);
    if json {
        return Ok(output.json(&shape)?);
    }
    let named = |name: &Option<String>, otherwise: &str| match name {
        Some(name) => name.clone(),
        None => otherwise.to_string(),
    };
    let newest = "the newest that the provider lists";
    let window = match shape.window {
        Some(tokens) => format!(
            "{} tokens",
            grouped(usize::try_from(tokens).unwrap_or(usize::MAX))
        ),
        None => "the provider is asked".to_string(),
    };
    let base = format!("{} ({})", shape.base_url, shape.base_url_from);
    let key = named(&shape.key_from, "none is set");
    for (what, value) in [
        ("provider", shape.provider.to_string()),
        ("model", named(&shape.main, newest)),
        ("small", named(&shape.small, "the same")),
        ("dream", named(&shape.dream, "the same")),
        ("base URL", base),
        ("asked at", shape.url),
        ("key from", key),
        ("window", window),
    ] {
        row(output, what, &value)?;
    }
    Ok(())
}

fn row(output: &mut Output, what: &str, value: &str) -> Result<(), Stop> {
    let what = output.look.colour.paint(Style::Dim, &format!("{what:<9}"));
    Ok(output.line(&format!("{what} {}", display::line(value)))?)
}

#[derive(Serialize)]
struct TestShape {
    provider: &'static str,
    model: String,
    url: String,
    key_from: Option<String>,
    /// What it said.
    text: String,
    stop: Option<String>,
    milliseconds: u128,
    /// Until the first thing that it sent.
    first_milliseconds: u128,
    usage: Option<UsageShape>,
}

#[derive(Serialize)]
struct UsageShape {
    input: u64,
    output: u64,
    cache_read: u64,
    cache_creation: u64,
}

/// One tiny request, made and sent as those of a chat are. It is not tried again: what is wrong is to be seen.
fn test(mut client: Client, json: bool, output: &mut Output) -> Result<(), Stop> {
    client.retry.tries = 1;
    client.deadlines.first_byte = client.deadlines.first_byte.min(PATIENCE);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let (model, answer, times) = runtime
        .block_on(ask(&client))
        .map_err(crate::cli::Failure::from)?;
    let (took, first) = times;
    let shape = TestShape {
        provider: client.provider.protocol.word(),
        model,
        url: url(&client),
        key_from: key_from(&client),
        text: answer.text(),
        stop: answer.stop.as_ref().map(|stop| stop.word().to_string()),
        milliseconds: took.as_millis(),
        first_milliseconds: first.as_millis(),
        usage: answer.usage.map(|usage| UsageShape {
            input: usage.input,
            output: usage.output,
            cache_read: usage.cache_read,
            cache_creation: usage.cache_creation,
        }),
    };
    if json {
        return Ok(output.json(&shape)?);
    }
    let answers = output.look.colour.paint(Style::Ok, "✓");
    let line = format!(
        "{} answers at {}",
        shape.model,
        place(&reqwest::Method::POST, &client.url())
    );
    output.line(&format!("{answers} {}", display::line(&line)))?;
    row(output, "said", &said(&answer))?;
    let seconds = |time: Duration| format!("{:.2} s", time.as_secs_f64());
    let time = format!("{}, the first sign after {}", seconds(took), seconds(first));
    row(output, "took", &time)?;
    row(
        output,
        "tokens",
        &answer
            .usage
            .map_or_else(|| "not counted".to_string(), counted),
    )?;
    row(
        output,
        "key from",
        shape.key_from.as_deref().unwrap_or("none is set"),
    )
}

/// The model that was asked, what it said, how long that took and until its first sign.
async fn ask(client: &Client) -> Result<(String, Answer, (Duration, Duration)), Failure> {
    let model = model_or_newest(client, client.provider.main.as_deref()).await?;
    let piece = Piece::new(Kind::Prompt, Origin::Ours, QUESTION);
    let request = Request {
        params: Params {
            model: model.clone(),
            max_tokens: Some(ANSWER),
            stream: true,
            ..Params::default()
        },
        system: Vec::new(),
        messages: vec![Message::new(Role::User, vec![Block::text(piece)])],
    };
    let ask = request.ask();
    let begun = Instant::now();
    let mut first = None;
    let mut sink = |_: &Event| {
        first.get_or_insert_with(|| begun.elapsed());
    };
    let answer = client.stream(&ask, &mut sink).await;
    let answer = answer.map_err(|broken| *broken.failure)?;
    let took = begun.elapsed();
    Ok((model, answer, (took, first.unwrap_or(took))))
}

/// What it said in a line, and why it stopped where that is not the usual reason.
fn said(answer: &Answer) -> String {
    let text = answer.text();
    let mut said = match text.trim() {
        "" => "nothing".to_string(),
        text => format!("{text:?}"),
    };
    if answer.is_cut() {
        let stop = answer.stop.as_ref().map_or("", |stop| stop.word());
        let _ = write!(said, " (cut: {stop})");
    }
    said
}

fn counted(usage: Usage) -> String {
    let input = usage.input + usage.cache_read + usage.cache_creation;
    format!("{input} in, {} out", usage.output)
}
