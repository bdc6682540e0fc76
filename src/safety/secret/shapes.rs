//! The shapes that are known: whose token, how it begins, how long it is. Facts, as the issuers
//! publish them; the lengths are bounds, since they grow.

use super::shape::Body::{Alnum, Capitals, Dotted, Hex, Word};
use super::shape::Check::{Address, Crc, Entropy};
use super::shape::{Body, Check, Shape};

const fn shape(
    prefix: &'static str,
    name: &'static str,
    body: Body,
    (least, most): (usize, usize),
    check: Check,
) -> Shape {
    Shape {
        prefix,
        name,
        body,
        least,
        most,
        check,
    }
}

/// A body that ends nowhere in particular.
const LONG: usize = 2_000;

pub const SHAPES: &[Shape] = &[
    // Code hosts and registries.
    shape("ghp_", "GitHub token", Alnum, (36, 255), Crc),
    shape("gho_", "GitHub token", Alnum, (36, 255), Crc),
    shape("ghu_", "GitHub token", Alnum, (36, 255), Crc),
    shape("ghs_", "GitHub token", Dotted, (36, LONG), Crc),
    shape("ghr_", "GitHub token", Alnum, (36, 255), Crc),
    shape("github_pat_", "GitHub token", Word, (40, 255), Entropy),
    shape("glpat-", "GitLab token", Dotted, (20, 255), Entropy),
    shape("gldt-", "GitLab token", Word, (20, 255), Entropy),
    shape("glrt-", "GitLab token", Dotted, (20, 255), Entropy),
    shape("glcbt-", "GitLab token", Word, (20, 255), Entropy),
    shape("glptt-", "GitLab token", Word, (20, 255), Entropy),
    shape("glagent-", "GitLab token", Word, (20, 255), Entropy),
    shape("gloas-", "GitLab token", Word, (20, 255), Entropy),
    shape("npm_", "npm token", Alnum, (36, 36), Crc),
    shape("pypi-AgE", "PyPI token", Word, (50, LONG), Entropy),
    shape("rubygems_", "RubyGems token", Hex, (48, 48), Entropy),
    shape("cio", "crates.io token", Alnum, (32, 32), Entropy),
    shape("dckr_pat_", "Docker token", Word, (20, 64), Entropy),
    shape("dckr_oat_", "Docker token", Word, (20, 64), Entropy),
    // Models.
    shape("sk-ant-", "Anthropic key", Word, (20, 255), Entropy),
    shape("sk-proj-", "OpenAI key", Word, (20, 255), Entropy),
    shape("sk-svcacct-", "OpenAI key", Word, (20, 255), Entropy),
    shape("sk-admin-", "OpenAI key", Word, (20, 255), Entropy),
    shape("sk-or-v1-", "OpenRouter key", Hex, (64, 64), Entropy),
    shape("sk-", "model key", Word, (20, 255), Entropy),
    shape("gsk_", "Groq key", Alnum, (40, 80), Entropy),
    shape("xai-", "xAI key", Alnum, (40, 120), Entropy),
    shape("pplx-", "Perplexity key", Alnum, (32, 80), Entropy),
    shape("hf_", "Hugging Face token", Alnum, (30, 64), Entropy),
    shape("r8_", "Replicate token", Alnum, (30, 64), Entropy),
    shape("lsv2_pt_", "LangSmith key", Word, (32, 80), Entropy),
    // Clouds.
    shape("AKIA", "AWS access key", Capitals, (16, 16), Entropy),
    shape("ASIA", "AWS access key", Capitals, (16, 16), Entropy),
    shape("ABIA", "AWS access key", Capitals, (16, 16), Entropy),
    shape("ACCA", "AWS access key", Capitals, (16, 16), Entropy),
    shape("AIza", "Google key", Word, (35, 35), Entropy),
    shape("GOCSPX-", "Google client secret", Word, (28, 28), Entropy),
    shape("ya29.", "Google access token", Word, (20, LONG), Entropy),
    shape("dop_v1_", "DigitalOcean token", Hex, (64, 64), Entropy),
    shape("doo_v1_", "DigitalOcean token", Hex, (64, 64), Entropy),
    shape("dor_v1_", "DigitalOcean token", Hex, (64, 64), Entropy),
    shape("hvs.", "Vault token", Word, (24, 255), Entropy),
    shape("hvb.", "Vault token", Word, (24, 512), Entropy),
    shape("dp.pt.", "Doppler token", Alnum, (40, 50), Entropy),
    shape("dp.st.", "Doppler token", Dotted, (40, 80), Entropy),
    shape("pul-", "Pulumi token", Hex, (40, 40), Entropy),
    shape("FlyV1 fm2_", "Fly token", Dotted, (60, LONG), Entropy),
    shape("tskey-", "Tailscale key", Word, (20, 120), Entropy),
    shape("nfp_", "Netlify token", Alnum, (36, 64), Entropy),
    shape("dapi", "Databricks token", Hex, (32, 32), Entropy),
    shape("sbp_", "Supabase token", Hex, (40, 40), Entropy),
    shape("sb_secret_", "Supabase key", Word, (20, 80), Entropy),
    shape(
        "pscale_pw_",
        "PlanetScale password",
        Word,
        (32, 64),
        Entropy,
    ),
    shape("pscale_tkn_", "PlanetScale token", Word, (32, 64), Entropy),
    // Chats, mail, work.
    shape("xoxb-", "Slack token", Word, (20, 255), Entropy),
    shape("xoxp-", "Slack token", Word, (20, 255), Entropy),
    shape("xoxa-", "Slack token", Word, (20, 255), Entropy),
    shape("xoxr-", "Slack token", Word, (20, 255), Entropy),
    shape("xoxs-", "Slack token", Word, (20, 255), Entropy),
    shape("xoxe.", "Slack token", Dotted, (20, 255), Entropy),
    shape("xapp-", "Slack token", Word, (20, 255), Entropy),
    shape(
        "hooks.slack.com/services/",
        "Slack webhook",
        Dotted,
        (40, 80),
        Address,
    ),
    shape(
        "discord.com/api/webhooks/",
        "Discord webhook",
        Dotted,
        (60, 120),
        Address,
    ),
    shape("SG.", "SendGrid key", Dotted, (60, 80), Entropy),
    shape("secret_", "Notion token", Alnum, (43, 43), Entropy),
    shape("ntn_", "Notion token", Alnum, (40, 60), Entropy),
    shape("lin_api_", "Linear key", Alnum, (32, 60), Entropy),
    shape("figd_", "Figma token", Word, (36, 80), Entropy),
    shape("PMAK-", "Postman key", Word, (40, 80), Entropy),
    shape("ATATT3", "Atlassian token", Dotted, (60, 255), Entropy),
    shape("ops_eyJ", "1Password token", Word, (100, LONG), Entropy),
    // Payment and shops.
    shape("sk_live_", "Stripe key", Alnum, (16, 255), Entropy),
    shape("sk_test_", "Stripe key", Alnum, (16, 255), Entropy),
    shape("rk_live_", "Stripe key", Alnum, (16, 255), Entropy),
    shape("rk_test_", "Stripe key", Alnum, (16, 255), Entropy),
    shape("whsec_", "webhook secret", Dotted, (24, 128), Entropy),
    shape("shpat_", "Shopify token", Hex, (32, 32), Entropy),
    shape("shpss_", "Shopify secret", Hex, (32, 32), Entropy),
    shape("shpca_", "Shopify token", Hex, (32, 32), Entropy),
    shape("sq0csp-", "Square secret", Word, (40, 60), Entropy),
    shape("sq0atp-", "Square token", Word, (22, 60), Entropy),
    // Watching.
    shape("glsa_", "Grafana token", Word, (40, 60), Entropy),
    shape("glc_", "Grafana token", Dotted, (32, 400), Entropy),
    shape("sntrys_", "Sentry token", Dotted, (60, 400), Entropy),
    shape("sntryu_", "Sentry token", Hex, (64, 64), Entropy),
    shape("NRAK-", "New Relic key", Capitals, (27, 27), Entropy),
    // Keys of their own.
    shape("AGE-SECRET-KEY-1", "age key", Capitals, (58, 58), Entropy),
];
