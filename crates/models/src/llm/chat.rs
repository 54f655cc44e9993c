//! Chat templates.

use std::path::{Path, PathBuf};

use minijinja::{
    Environment, Error as TemplateError, ErrorKind, State, UndefinedBehavior, Value, context,
    syntax::SyntaxConfig,
};

use crate::{Error, Result};

/// The role of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Instructions for the whole conversation.
    System,
    /// The user.
    User,
    /// The model.
    Assistant,
}

/// A turn of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The role.
    pub role: Role,
    /// The text.
    pub text: String,
}

impl Turn {
    /// Creates a turn.
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self { role, text: text.into() }
    }
}

/// ChatML, for files that have its markers but no template. Rendering trims the last line end.
const CHATML: &str = "{% for message in messages %}<|im_start|>{{ message.role }}\n\
    {{ message.content }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n\n";

const NAME: &str = "chat";

/// A chat template: the format of conversations that a model was trained with. The template is
/// Jinja, rendered as by the `transformers` library, with blocks trimmed and thinking off.
pub struct ChatTemplate {
    environment: Environment<'static>,
    path: PathBuf,
    bos: String,
    eos: String,
}

impl ChatTemplate {
    /// Parses a template. Errors name `path`. `bos` and `eos` are the texts of the tokens that
    /// begin and end a text.
    ///
    /// # Errors
    /// [`Error::Load`] if the template is not valid.
    pub fn new(source: &str, path: &Path, bos: &str, eos: &str) -> Result<Self> {
        let invalid = |error| invalid(path, &error);
        let mut environment = Environment::new();
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.map_err(invalid)?);
        environment.set_undefined_behavior(UndefinedBehavior::Chainable);
        environment.set_unknown_method_callback(python_method);
        environment.add_function("raise_exception", |message: String| {
            Err::<Value, _>(TemplateError::new(ErrorKind::InvalidOperation, message))
        });
        environment.add_template_owned(NAME, source.to_owned()).map_err(invalid)?;
        Ok(Self { environment, path: path.to_owned(), bos: bos.to_owned(), eos: eos.to_owned() })
    }

    /// Returns the template of ChatML.
    ///
    /// # Errors
    /// Never; the same signature as [`new`](Self::new).
    pub fn chatml(path: &Path) -> Result<Self> {
        Self::new(CHATML, path, "", "")
    }

    /// Renders a conversation up to the start of the model's next turn. If the template rejects a
    /// system turn, prepends its text to the first user turn.
    ///
    /// # Errors
    /// [`Error::Load`] if the template fails in both forms.
    pub fn render(&self, turns: &[Turn]) -> Result<String> {
        let first_error = match self.try_render(turns) {
            Ok(text) => return Ok(text),
            Err(error) => invalid(&self.path, &error),
        };
        match turns {
            [system, user, rest @ ..] if system.role == Role::System && user.role == Role::User => {
                let joined = Turn::new(Role::User, format!("{}\n\n{}", system.text, user.text));
                self.try_render(&[&[joined], rest].concat()).map_err(|_| first_error)
            }
            _ => Err(first_error),
        }
    }

    fn try_render(&self, turns: &[Turn]) -> Result<String, TemplateError> {
        let message = |turn: &Turn| {
            let role = match turn.role {
                Role::System => "system",
                Role::User => "user",
                Role::Assistant => "assistant",
            };
            Value::from_pairs([("role", role), ("content", &turn.text)])
        };
        self.environment.get_template(NAME)?.render(context! {
            messages => turns.iter().map(message).collect::<Vec<_>>(),
            add_generation_prompt => true,
            enable_thinking => false,
            bos_token => self.bos.as_str(),
            eos_token => self.eos.as_str(),
        })
    }
}

fn invalid(path: &Path, error: &TemplateError) -> Error {
    Error::load(path, format!("tokenizer.chat_template: {error:#}"))
}

/// Python's string methods that templates call.
fn python_method(
    _: &mut State<'_, '_>,
    value: &Value,
    method: &str,
    args: &[Value],
) -> Result<Value, TemplateError> {
    let unknown = || TemplateError::from(ErrorKind::UnknownMethod);
    let text = value.as_str().ok_or_else(unknown)?;
    let argument = args.first().and_then(Value::as_str);
    let is_trimmed = |c: char| argument.map_or(c.is_whitespace(), |set| set.contains(c));
    Ok(match (method, argument) {
        ("startswith", Some(part)) => text.starts_with(part).into(),
        ("endswith", Some(part)) => text.ends_with(part).into(),
        ("strip", _) => text.trim_matches(is_trimmed).into(),
        ("lstrip", _) => text.trim_start_matches(is_trimmed).into(),
        ("rstrip", _) => text.trim_end_matches(is_trimmed).into(),
        ("split", Some(separator)) if !separator.is_empty() => {
            text.split(separator).map(Value::from).collect()
        }
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
    fn chatml_ends_at_the_start_of_the_answer() {
        let template = ChatTemplate::chatml(Path::new("m.gguf")).expect("a template");
        assert_eq!(
            template.render(&conversation()).expect("rendered"),
            "<|im_start|>system\nRules.<|im_end|>\n<|im_start|>user\nQ1 <|im_end|>\n\
             <|im_start|>assistant\nA1<|im_end|>\n<|im_start|>user\nQ2<|im_end|>\n\
             <|im_start|>assistant\n"
        );
    }

    /// Headers per turn, trimmed text, a separate system turn, the first token.
    #[test]
    fn a_template_like_that_of_llama_3() {
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

    /// A reversed list, Python's methods, and an empty thought because thinking is off.
    #[test]
    fn a_template_like_that_of_qwen_3() {
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
    fn lines_with_only_a_block_leave_no_output() {
        let source = "{% for message in messages %}\n  {% if loop.first %}\n{{ message.content }}!\n  {% endif %}\n{% endfor %}\n";
        assert_eq!(render(source), "Rules.!\n");
    }

    #[test]
    fn a_rejected_system_turn_goes_into_the_user_turn() {
        let source = "{% for message in messages %}{% if message.role == 'system' %}\
            {{ raise_exception('no system') }}{% endif %}[{{ message.content }}]{% endfor %}";
        assert_eq!(render(source), "[Rules.\n\nQ1 ][A1][Q2]");
    }

    #[test]
    fn errors_of_a_template_name_its_file() {
        let path = Path::new("m.gguf");
        let error = ChatTemplate::new("{% for %}", path, "", "").err();
        assert!(error.is_some_and(|e| e.to_string().contains("m.gguf")));
        let template = ChatTemplate::new("{{ raise_exception('never') }}", path, "", "");
        let error = template.expect("parses").render(&conversation()).err();
        let message = error.map(|e| e.to_string()).unwrap_or_default();
        assert!(message.contains("m.gguf") && message.contains("never"), "{message}");
    }
}
