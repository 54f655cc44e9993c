//! The best answer span of a sentence.

use std::ops::Range;

use fiel_text::{Lang, Word, number_word, words};

use super::answer_type::{AnswerType, answer_type, is_listed};

/// Maximum number of words of a candidate.
const LONGEST: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Number,
    /// A year or a date.
    Year,
    Name,
    Quoted,
    Reason,
    Phrase,
}

/// A part of a sentence, and how well it answers the question (higher is better).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AnswerSpan {
    pub range: Range<usize>,
    pub score: f64,
    /// Whether its form is that of the expected type: a number, a time, a name.
    pub is_expected: bool,
}

/// The best span of a sentence: a run of words that the question lacks, of the type that it asks
/// for, near words of the question. The baseline of SQuAD (Rajpurkar et al., 2016) weighs the same
/// three features.
pub(super) fn best_span(question: &str, text: &str, lang: Lang) -> Option<AnswerSpan> {
    let question = words(question, lang);
    let expected = answer_type(&question, lang);
    let counted = counted_noun(&question);
    let sentence = Sentence::new(text, &question, lang);
    let tokens = &sentence.words;
    let body = body_start(text);
    let mut best: Option<AnswerSpan> = None;
    for (form, mut run) in sentence.candidates() {
        let is_counted = |word: &Word<'_>| counted.is_some_and(|noun| word.is_like(noun));
        // In Spanish the unit belongs to the answer.
        let takes_unit = lang == Lang::Es && form == Form::Number;
        if takes_unit && sentence.continues(run.end) && is_counted(&tokens[run.end]) {
            run.end += 1;
        }
        let is_new = |index: usize| {
            sentence.is_new(index) || !sentence.known[index] && sentence.is_number(index)
        };
        if tokens[run.start].range.start < body || !run.clone().any(is_new) {
            continue;
        }
        let type_score = type_score(expected, form);
        let excess = run.len().saturating_sub(3) as f64;
        let mut score = type_score + sentence.nearness(&run) - 0.05 * excess;
        score += sentence.form_score(form, &run);
        if tokens[run.start..(run.end + 2).min(tokens.len())].iter().any(is_counted) {
            score += 1.5;
        }
        if best.as_ref().is_none_or(|b| score > b.score) {
            let range = tokens[run.start].range.start..tokens[run.end - 1].range.end;
            best = Some(AnswerSpan { range, score, is_expected: type_score >= 2.0 });
        }
    }
    best
}

/// The noun after "how many".
fn counted_noun<'a, 'b>(question: &'a [Word<'b>]) -> Option<&'a Word<'b>> {
    const MANY: &str = "many much cuantos cuantas cuanto cuanta";
    let index = question.iter().position(|word| is_listed(word, MANY))?;
    question.get(index + 1).filter(|word| !word.stop)
}

/// The position at which the headings before the first sentence of a passage end.
fn body_start(sentence: &str) -> usize {
    let is_head = |&end: &usize| end < 80 && !sentence[..end].contains(['"', '(', ',']);
    sentence.find(": ").filter(is_head).map_or(0, |end| end + 2)
}

/// How well a form fits the expected type of answer.
fn type_score(expected: AnswerType, form: Form) -> f64 {
    match (expected, form) {
        (AnswerType::Person, Form::Name) => 2.0,
        (AnswerType::Time, Form::Year) => 3.0,
        (AnswerType::Time, Form::Number) => 1.5,
        (AnswerType::Number, Form::Number) => 3.0,
        (AnswerType::Number, Form::Year) => 0.5,
        (AnswerType::Place, Form::Name) => 1.5,
        (AnswerType::Reason, Form::Reason) => 3.0,
        (AnswerType::Wording, Form::Quoted) => 2.0,
        (AnswerType::Thing, Form::Quoted) => 0.7,
        (AnswerType::Thing | AnswerType::Wording, Form::Name) => 0.5,
        (_, Form::Year | Form::Number) => -0.5,
        _ => 0.0,
    }
}

/// A sentence whose parts may answer a question. Positions and runs count words.
struct Sentence<'a> {
    text: &'a str,
    words: Vec<Word<'a>>,
    /// Whether the question contains each word.
    known: Vec<bool>,
    /// Positions of the content words of which the question contains some form.
    anchors: Vec<usize>,
    lang: Lang,
}

impl<'a> Sentence<'a> {
    fn new(text: &'a str, question: &[Word<'_>], lang: Lang) -> Self {
        let words = words(text, lang);
        let in_question = |is_equal: &dyn Fn(&Word<'_>) -> bool| {
            question.iter().any(|asked| !asked.stop && is_equal(asked))
        };
        let known = words.iter().map(|word| in_question(&|asked| asked.is_same(word))).collect();
        let is_anchor = |&index: &usize| {
            !words[index].stop && in_question(&|asked| asked.is_like(&words[index]))
        };
        let anchors = (0..words.len()).filter(is_anchor).collect();
        Self { text, words, known, anchors, lang }
    }

    /// Whether a word follows the one before it without a break.
    fn continues(&self, index: usize) -> bool {
        self.words.get(index).is_some_and(|word| !word.after_break)
    }

    /// Whether a content word is not in the question.
    fn is_new(&self, index: usize) -> bool {
        !self.words[index].stop && !self.known[index]
    }

    fn is_listed(&self, index: usize, list: &str) -> bool {
        self.words.get(index).is_some_and(|word| is_listed(word, list))
    }

    fn is_number(&self, index: usize) -> bool {
        const EN: &str = "one hundred thousand million billion half third quarter dozen \
                          two-thirds once twice";
        const ES: &str = "cien ciento mil millones mitad tercio";
        let (lang, others) = match self.lang {
            Lang::Es => (Lang::Es, ES),
            Lang::En | Lang::Other => (Lang::En, EN),
        };
        let word = &self.words[index];
        word.text.starts_with(|c: char| c.is_ascii_digit())
            || number_word(&[&word.key], lang).is_some()
            || is_listed(word, others)
    }

    fn is_digits(&self, index: usize) -> bool {
        self.words[index].text.chars().all(|c| c.is_ascii_digit())
    }

    /// The sum of the inverse distances of a run to the anchors outside it.
    fn nearness(&self, run: &Range<usize>) -> f64 {
        let outside = self.anchors.iter().filter(|index| !run.contains(index));
        let distance = |&index: &usize| {
            if index < run.start { run.start - index } else { index + 1 - run.end }
        };
        outside.map(|index| 1.0 / distance(index) as f64).sum()
    }

    /// The score of a run by its form. A determiner or copula before it counts in its favour, and so
    /// does a second word of a name; endings of adverbs and participles and forms of the question's
    /// words count against it.
    fn form_score(&self, form: Form, run: &Range<usize>) -> f64 {
        const BEFORE: &str = "a an the is are was were as by called named becomes un una el la los \
                              las es son como llamado llamada";
        if form == Form::Name && run.len() > 1 {
            return 0.3;
        } else if form != Form::Phrase {
            return 0.0;
        }
        let follows = run.start.checked_sub(1).is_some_and(|index| self.is_listed(index, BEFORE));
        let last = self.words[run.end - 1].key.as_str();
        let is_inflected = run.len() == 1
            && ["ly", "ing", "ed", "mente"].iter().any(|ending| last.ends_with(ending));
        let all_like = run.clone().all(|index| self.anchors.contains(&index));
        let weight = |applies: bool| if applies { 0.4 } else { 0.0 };
        weight(follows) - weight(is_inflected) - weight(all_like)
    }

    fn candidates(&self) -> Vec<(Form, Range<usize>)> {
        let mut out: Vec<(Form, Range<usize>)> =
            self.quoted().into_iter().map(|run| (Form::Quoted, run)).collect();
        let numbers = (0..self.words.len()).filter(|&index| self.is_number(index));
        out.extend(numbers.map(|index| self.time_or_quantity(index)));
        out.extend(self.names().into_iter().map(|run| (Form::Name, run)));
        out.extend(self.reason().map(|run| (Form::Reason, run)));
        out.extend(self.phrases().into_iter().map(|run| (Form::Phrase, run)));
        out.retain(|(form, run)| {
            !run.is_empty() && (matches!(form, Form::Quoted | Form::Reason) || run.len() <= LONGEST)
        });
        out
    }

    /// The runs between quotation marks.
    fn quoted(&self) -> Vec<Range<usize>> {
        let marks = self.text.match_indices(['"', '“', '”', '«', '»']);
        let marks: Vec<usize> = marks.map(|(index, _)| index).collect();
        let run = |pair: &[usize]| {
            let first = self.words.partition_point(|word| word.range.start < pair[0]);
            first..self.words.partition_point(|word| word.range.end <= pair[1]).max(first)
        };
        marks.chunks_exact(2).map(run).collect()
    }

    /// The date or year that contains a number, or else the number with its scale and unit.
    fn time_or_quantity(&self, index: usize) -> (Form, Range<usize>) {
        const MONTHS: &str = "january february march april may june july august september october \
                              november december enero febrero marzo abril mayo junio julio agosto \
                              septiembre octubre noviembre diciembre";
        let is_four_digits = |index: usize| {
            index < self.words.len() && self.words[index].text.len() == 4 && self.is_digits(index)
        };
        let mut run = index..index + 1;
        let mut is_time = is_four_digits(index)
            && self.words[index].text.parse::<u32>().is_ok_and(|year| (1000..2200).contains(&year));
        // 15 de noviembre, 7 February 2016; February 7, 2016
        let month = index + 1 + usize::from(self.is_listed(index + 1, "de"));
        if self.continues(index + 1) && self.is_listed(month, MONTHS) {
            (is_time, run.end) = (true, month + 1);
        }
        if index > 0 && self.is_listed(index - 1, MONTHS) {
            (is_time, run.start) = (true, index - 1);
            run.end += usize::from(is_four_digits(run.end));
        }
        if is_time {
            (Form::Year, run)
        } else {
            (Form::Number, index..self.quantity_end(index + 1))
        }
    }

    /// The end of a quantity whose number ends at `end`.
    fn quantity_end(&self, mut end: usize) -> usize {
        const LINKS: &str = "and to or y a o";
        const SCALES: &str = "% percent per cent million billion thousand hundred mil millones \
                              ciento";
        if self.continues(end)
            && self.is_listed(end, LINKS)
            && self.continues(end + 1)
            && self.is_number(end + 1)
        {
            end += 2;
        }
        while self.continues(end) && self.is_listed(end, SCALES) {
            end += 1;
        }
        let has_unit = self.continues(end) && self.is_new(end) && !self.words[end].is_capital();
        end + usize::from(has_unit)
    }

    /// Runs of capitalised words, with prepositions and articles between them.
    fn names(&self) -> Vec<Range<usize>> {
        const INNER: &str = "of the de del la las los van von da di al and y";
        let mut out: Vec<Range<usize>> = Vec::new();
        for start in 0..self.words.len() {
            let is_inside = out.last().is_some_and(|run| start < run.end);
            let first = &self.words[start];
            if is_inside || !first.is_capital() || (start == 0 && first.stop) {
                continue;
            }
            let mut end = start + 1;
            let mut index = end;
            while index < end + 3 && self.continues(index) {
                if self.words[index].is_capital() || self.is_digits(index) && index == end {
                    end = index + 1;
                } else if !self.is_listed(index, INNER) {
                    break;
                }
                index += 1;
            }
            out.push(start..end);
        }
        out
    }

    /// The words after "because" and similar words, to the end of the clause.
    fn reason(&self) -> Option<Range<usize>> {
        const CONNECTIVES: &str = "because due porque debido since pues";
        let connective = self.words.iter().position(|word| is_listed(word, CONNECTIVES))?;
        let start = connective + 1 + usize::from(self.is_listed(connective + 1, "of to a que"));
        let end = (start + 1..self.words.len()).find(|&index| self.words[index].after_break);
        let end = end.unwrap_or(self.words.len());
        (start < end).then_some(start..end)
    }

    /// Runs without breaks, words of the question and stop words; `of` may join two runs.
    fn phrases(&self) -> Vec<Range<usize>> {
        let mut out: Vec<Range<usize>> = Vec::new();
        for start in 0..self.words.len() {
            if out.last().is_some_and(|run| start < run.end) || !self.is_new(start) {
                continue;
            }
            let belongs = |&index: &usize| {
                let joins = || {
                    self.is_listed(index, "of de del")
                        && self.continues(index + 1)
                        && self.is_new(index + 1)
                };
                self.continues(index) && (self.is_new(index) || joins())
            };
            out.push(start..start + 1 + (start + 1..).take_while(belongs).count());
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(question: &str, sentence: &str, lang: Lang) -> String {
        let span = best_span(question, sentence, lang);
        span.map(|span| sentence[span.range].to_owned()).unwrap_or_default()
    }

    #[test]
    fn the_form_of_a_span_is_the_expected_type() {
        for (question, sentence, expected) in [
            (
                "Who designed the new logo in 1998?",
                "In 1998, the network began using a logo designed by Pittard Sullivan.",
                "Pittard Sullivan",
            ),
            (
                "When did Scheele discover oxygen?",
                "Oxygen was discovered by Carl Wilhelm Scheele, in Uppsala, in 1773 or earlier.",
                "1773",
            ),
            (
                "How many interceptions did the team have?",
                "The team led the league with 24 interceptions and four captains.",
                "24",
            ),
            (
                "Why was Polonia relegated in 2013?",
                "Polonia was relegated in 2013 because of their disastrous financial situation.",
                "their disastrous financial situation",
            ),
            (
                "How do you translate hace dos años?",
                "So does ago, which follows: hace dos años is \"two years ago\".",
                "two years ago",
            ),
        ] {
            assert_eq!(best(question, sentence, Lang::En), expected);
        }
    }

    #[test]
    fn the_same_in_spanish() {
        for (question, sentence, expected) in [
            (
                "¿Cuánto tiempo guarda la empresa el registro?",
                "La empresa guarda el registro durante 3 años.",
                "3 años",
            ),
            (
                "¿Cuándo se anuncian los festivos locales?",
                "Los festivos locales se anuncian antes del 15 de noviembre.",
                "15 de noviembre",
            ),
            (
                "¿Quién pintó el techo de la estación?",
                "El techo de la estación lo pintó Ana María Roldán en pocos meses.",
                "Ana María Roldán",
            ),
        ] {
            assert_eq!(best(question, sentence, Lang::Es), expected);
        }
    }

    #[test]
    fn a_span_adds_to_the_question_and_excludes_headings() {
        assert_eq!(best("What is tea?", "Tea is tea.", Lang::En), "");
        assert_eq!(best("", "", Lang::En), "");
        let named = best("Who won?", "Cup Final 2016: Ann Lee won.", Lang::En);
        assert_eq!(named, "Ann Lee");
    }
}
