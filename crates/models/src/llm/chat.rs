use std::path::{Path, PathBuf};

use minijinja::{
    Environment, Error as TemplateError, ErrorKind, State, UndefinedBehavior, Value, context,
    syntax::SyntaxConfig,
};

use super::config::load;
use crate::Result;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Rules that hold for the whole conversation.
    System,
    /// Who asks.
    User,
    /// The model.
    Assistant,
}

/// One turn of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub text: String,
}

impl Turn {
    /// A turn of its role and text.
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self {
            role,
            text: text.into(),
        }
    }
}

/// ChatML, for files with its markers and no template of their own.
const CHATML: &str = "{% for message in messages %}<|im_start|>{{ message.role }}\n\
    {{ message.content }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n";

const NAME: &str = "chat";

/// How a model was trained to see a conversation: the Jinja template of its file, rendered as the
/// `transformers` library does (blocks trimmed), with thinking off where a template knows it.
pub struct ChatTemplate {
    environment: Environment<'static>,
    path: PathBuf,
    bos: String,
    eos: String,
}

impl ChatTemplate {
    /// `path` is named in errors; `bos` and `eos` are what the template may write for the tokens
    /// that begin and end a text.
    ///
    /// # Errors
    /// When it is no template.
    pub fn new(source: &str, path: &Path, bos: &str, eos: &str) -> Result<Self> {
        Self::build(source, true, path, bos, eos)
    }

    /// ChatML.
    ///
    /// # Errors
    /// Never; the signature is that of [`new`](Self::new).
    pub fn chatml(path: &Path) -> Result<Self> {
        Self::build(CHATML, false, path, "", "")
    }

    fn build(source: &str, trims: bool, path: &Path, bos: &str, eos: &str) -> Result<Self> {
        let bad = |e: TemplateError| load(path, format!("tokenizer.chat_template: {e:#}"));
        let mut environment = Environment::new();
        let syntax = SyntaxConfig::builder()
            .trim_blocks(trims)
            .lstrip_blocks(trims)
            .keep_trailing_newline(!trims)
            .build()
            .map_err(bad)?;
        environment.set_syntax(syntax);
        environment.set_undefined_behavior(UndefinedBehavior::Chainable);
        environment.set_unknown_method_callback(python_method);
        environment.add_function("raise_exception", |message: String| {
            Err::<Value, _>(TemplateError::new(ErrorKind::InvalidOperation, message))
        });
        environment
            .add_template_owned(NAME, source.to_owned())
            .map_err(bad)?;
        Ok(Self {
            environment,
            path: path.to_owned(),
            bos: bos.to_owned(),
            eos: eos.to_owned(),
        })
    }

    /// The conversation up to where the model's next turn begins. Where a template refuses a system
    /// turn, its text goes before that of the first user.
    ///
    /// # Errors
    /// When the template fails on both.
    pub fn render(&self, turns: &[Turn]) -> Result<String> {
        let first = match self.rendered(turns) {
            Ok(text) => return Ok(text),
            Err(first) => first,
        };
        let bad = |e: TemplateError| load(&self.path, format!("tokenizer.chat_template: {e:#}"));
        match turns {
            [system, user, rest @ ..] if system.role == Role::System && user.role == Role::User => {
                let joined = Turn::new(Role::User, format!("{}\n\n{}", system.text, user.text));
                let turns: Vec<Turn> = std::iter::once(joined).chain(rest.to_vec()).collect();
                self.rendered(&turns).map_err(|_| bad(first))
            }
            _ => Err(bad(first)),
        }
    }

    fn rendered(&self, turns: &[Turn]) -> std::result::Result<String, TemplateError> {
        let message = |turn: &Turn| {
            let role = match turn.role {
                Role::System => "system",
                Role::User => "user",
                Role::Assistant => "assistant",
            };
            Value::from_pairs([("role", role), ("content", &turn.text)])
        };
        let messages: Vec<Value> = turns.iter().map(message).collect();
        self.environment.get_template(NAME)?.render(context! {
            messages => messages,
            add_generation_prompt => true,
            enable_thinking => false,
            bos_token => self.bos.as_str(),
            eos_token => self.eos.as_str(),
        })
    }
}

/// The methods of Python's strings that templates call.
fn python_method(
    _: &mut State<'_, '_>,
    value: &Value,
    method: &str,
    args: &[Value],
) -> std::result::Result<Value, TemplateError> {
    let unknown = || TemplateError::from(ErrorKind::UnknownMethod);
    let text = value.as_str().ok_or_else(unknown)?;
    let given = args.first().and_then(Value::as_str);
    let trimmed = |start: bool, end: bool| {
        let is_out = |c: char| given.map_or(c.is_whitespace(), |set| set.contains(c));
        let text = if start {
            text.trim_start_matches(is_out)
        } else {
            text
        };
        if end {
            text.trim_end_matches(is_out)
        } else {
            text
        }
    };
    Ok(match (method, given) {
        ("startswith", Some(part)) => text.starts_with(part).into(),
        ("endswith", Some(part)) => text.ends_with(part).into(),
        ("strip", _) => trimmed(true, true).into(),
        ("lstrip", _) => trimmed(true, false).into(),
        ("rstrip", _) => trimmed(false, true).into(),
        ("split", Some(by)) if !by.is_empty() => text.split(by).map(Value::from).collect(),
        ("split", None) => text.split_whitespace().map(Value::from).collect(),
        ("upper", _) => text.to_uppercase().into(),
        ("lower", _) => text.to_lowercase().into(),
        _ => return Err(unknown()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conversation() -> Vec<Turn> {
        vec![
            Turn::new(Role::System, "Rules."),
            Turn::new(Role::User, "Q1 "),
            Turn::new(Role::Assistant, "A1"),
            Turn::new(Role::User, "Q2"),
        ]
    }

    fn render(source: &str) -> String {
        let template = ChatTemplate::new(source, Path::new("m.gguf"), "<s>", "</s>");
        let text = template.expect("a template").render(&conversation());
        text.expect("rendered")
    }

    #[test]
    fn chatml_ends_where_the_answer_begins() {
        let template = ChatTemplate::chatml(Path::new("m.gguf")).expect("a template");
        assert_eq!(
            template.render(&conversation()).expect("rendered"),
            "<|im_start|>system\nRules.<|im_end|>\n<|im_start|>user\nQ1 <|im_end|>\n\
             <|im_start|>assistant\nA1<|im_end|>\n<|im_start|>user\nQ2<|im_end|>\n\
             <|im_start|>assistant\n"
        );
    }

    /// Headers for turns, text trimmed, a system turn taken out, the first token written.
    #[test]
    fn templates_of_the_kind_of_llama_3() {
        let source = r#"{{- bos_token }}
{%- if not date is defined %}
    {%- set date = "1 Jan" %}
{%- endif %}
{#- The rules. #}
{%- if messages[0]['role'] == 'system' %}
    {%- set rules = messages[0]['content'] | trim %}
    {%- set messages = messages[1:] %}
{%- endif %}
{{- "<|head|>system<|/head|>\n\nToday: " + date + "\n\n" + rules + "<|eot|>" }}
{%- for message in messages %}
    {%- if not (message.role == 'tool' or 'tool_calls' in message) %}
        {{- '<|head|>' + message['role'] + '<|/head|>\n\n' + message['content'] | trim + '<|eot|>' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|head|>assistant<|/head|>\n\n' }}
{%- endif %}
"#;
        assert_eq!(
            render(source),
            "<s><|head|>system<|/head|>\n\nToday: 1 Jan\n\nRules.<|eot|>\
             <|head|>user<|/head|>\n\nQ1<|eot|><|head|>assistant<|/head|>\n\nA1<|eot|>\
             <|head|>user<|/head|>\n\nQ2<|eot|><|head|>assistant<|/head|>\n\n"
        );
    }

    /// A walk from the back, Python's methods, and an empty thought where thinking is off.
    #[test]
    fn templates_of_the_kind_of_qwen_3() {
        let source = r"{%- set ns = namespace(last=0, looks=true) %}
{%- for message in messages[::-1] %}
    {%- if ns.looks and message.role == 'user' and not message.content.startswith('<tool>') %}
        {%- set ns.looks = false %}
        {%- set ns.last = messages | length - 1 - loop.index0 %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- set content = message.content %}
    {%- if message.reasoning is defined and message.reasoning is not none %}
        {%- set content = message.reasoning %}
    {%- elif '</think>' in content %}
        {%- set content = content.split('</think>')[-1].lstrip('\n') %}
    {%- endif %}
    {{- '<|' + message.role + '|>' + content }}
    {%- if message.tool_calls %}
        {{- message.tool_calls | tojson }}
    {%- endif %}
{%- endfor %}
{{- ns.last }}
{%- if add_generation_prompt %}
    {{- '<|assistant|>' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\n\n</think>\n\n' }}
    {%- endif %}
{%- endif %}";
        assert_eq!(
            render(source),
            "<|system|>Rules.<|user|>Q1 <|assistant|>A1<|user|>Q23<|assistant|><think>\n\n</think>\n\n"
        );
    }

    #[test]
    fn blocks_on_lines_of_their_own_leave_no_trace() {
        let source = "{% for message in messages %}\n  {% if loop.first %}\n{{ message.content }}!\n  {% endif %}\n{% endfor %}\n";
        assert_eq!(render(source), "Rules.!\n");
    }

    #[test]
    fn rules_go_to_the_user_where_there_is_no_system_turn() {
        let source = "{% for message in messages %}{% if message.role == 'system' %}\
            {{ raise_exception('no system') }}{% endif %}[{{ message.content }}]{% endfor %}";
        assert_eq!(render(source), "[Rules.\n\nQ1 ][A1][Q2]");
    }

    #[test]
    fn a_template_that_cannot_be_used_is_named_with_its_file() {
        let path = Path::new("m.gguf");
        let error = ChatTemplate::new("{% for %}", path, "", "").err();
        assert!(error.is_some_and(|e| e.to_string().contains("m.gguf")));
        let template = ChatTemplate::new("{{ raise_exception('never') }}", path, "", "");
        let error = template.expect("parses").render(&conversation()).err();
        let message = error.map(|e| e.to_string()).unwrap_or_default();
        assert!(
            message.contains("m.gguf") && message.contains("never"),
            "{message}"
        );
    }
}
