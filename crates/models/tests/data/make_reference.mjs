// Reference continuations by llama.cpp, which Fiel's own decoder is compared with.
//
//   npm install node-llama-cpp@3.21.1      (brings its own llama.cpp; nothing is built)
//   node make_reference.mjs OUT.json MODEL.gguf…
//
// Greedy, on the CPU, with one thread. The prompt goes in as token ids, so no chat wrapper touches
// it. Decoding goes on past the end of a turn, so that every prompt has all TOKENS positions; `stop`
// says where a reader would have stopped. Everything else is left as the package has it.

import {createHash} from "node:crypto";
import {createReadStream, readFileSync, writeFileSync} from "node:fs";
import path from "node:path";
import {fileURLToPath} from "node:url";
import {getLlama} from "node-llama-cpp";

const TOKENS = 24;
const CONTEXT = 512;

const turn = (role, text) => `<|im_start|>${role}\n${text}<|im_end|>\n`;

/** A conversation without the reader's rules. */
const chat = (system, user) => turn("system", system) + turn("user", user) + "<|im_start|>assistant\n";

// As in crates/reader/src/prompt.rs, version 2. The copy need not follow later versions: the test
// compares decoders, and the text of the prompt stands in the output.
const READER = {
    en: {
        rules: "Answer with the fewest exact words from the passages, then cite the passage. " +
            "If they do not answer the question: I don't know.",
        label: "Question",
        shown: ["Green tea keeps for a year.", "Coffee beans keep for a month."],
        before: "How long do beans stay good?",
        answer: "a month [2]"
    },
    es: {
        rules: "Responde con las palabras exactas de los pasajes, las menos posibles, y cita el pasaje. " +
            "Si no responden a la pregunta: No lo sé.",
        label: "Pregunta",
        shown: ["El té verde dura un año.", "El café en grano dura un mes."],
        before: "¿Cuánto aguanta el café?",
        answer: "un mes [2]"
    }
};

/** The reader's prompt: passages best first, shown best last. */
function reader(lang, question, ...passages) {
    const words = READER[lang];
    const asked = (texts, q) =>
        texts.map((text, at) => `[${at + 1}] ${text}\n`).reverse().join("") + `${words.label}: ${q}`;
    return turn("system", words.rules) + turn("user", asked(words.shown, words.before)) +
        turn("assistant", words.answer) + turn("user", asked(passages, question)) +
        "<|im_start|>assistant\n";
}

const PROMPTS = {
    "reader-en-irregular": reader("en", "What is the past simple of bring?",
        "*bring* is irregular: the past simple and the past participle are both *brought*.",
        "*break* has the past simple *broke* and the past participle *broken*."),
    "reader-en-spelling": reader("en", "how do you spell the -ing form of lie?",
        "Spelling of -ing: Verbs in *-ie* change it to *-y-*: *lie* becomes *lying*, *tie* becomes *tying*.",
        "Spelling of -ing: A silent *-e* is dropped: *write* becomes *writing*."),
    "reader-en-pronunciation": reader("en", "How is the -ed of *wanted* said?",
        "After /t/ and /d/ the ending is said /ɪd/: *wanted* /ˈwɒntɪd/, *needed* /ˈniːdɪd/.",
        "After other voiceless sounds it is /t/: *washed* /wɒʃt/."),
    "reader-en-fact": reader("en", "In which year was the bridge opened to trains?",
        "The iron bridge over the river was begun in 1881 and opened to trains in 1886.",
        "The old wooden bridge burned down in 1879.",
        "Since 1974 only walkers may cross the iron bridge."),
    "reader-en-unanswerable": reader("en", "Who painted the ceiling of the station?",
        "The station has six platforms and a clock tower 42 metres high.",
        "Trains to the coast leave every 30 minutes."),
    "reader-en-mixed": reader("en", "What does *ayer* go with, the past simple or the present perfect?",
        "With *ayer* (*yesterday*) English takes the past simple: *I saw her yesterday*."),
    "reader-es-irregular": reader("es", "¿Cuál es el participio de go?",
        "El pasado simple de *go* (*ir*) es *went* y el participio es *gone*.",
        "El pasado simple de *come* (*venir*) es *came* y el participio es *come*."),
    "reader-es-third": reader("es", "¿Qué terminación lleva watch en tercera persona?",
        "Los verbos acabados en *-ch*, *-sh*, *-s*, *-x* u *-o* llevan *-es*: *watches*, *goes*.",
        "Los demás verbos llevan *-s*: *works*, *plays*."),
    "reader-es-fact": reader("es", "¿A qué altura está el refugio?",
        "El refugio está a 2.160 metros de altura y abre de junio a septiembre.",
        "El camino desde el pueblo dura tres horas y media."),
    "reader-es-unanswerable": reader("es", "¿Cuánto cuesta la entrada al museo?",
        "El museo abre de martes a domingo, de 10:00 a 19:30.",
        "La sala de los relojes está en la segunda planta."),
    "chat-en-explain": chat("You are a helpful assistant.", "Why is the sky blue? Answer in one sentence."),
    "chat-en-list": chat("You are a helpful assistant.", "Name the planets from the Sun outwards, separated by commas."),
    "chat-es-capital": chat("Eres un asistente útil.", "¿Cuál es la capital de Perú y qué océano está más cerca?"),
    "chat-es-translate": chat("Eres un asistente útil.", "Traduce al inglés: «Mañana habré terminado el informe»."),
    "plain-en-story": "Once upon a time, in a small village by the sea, there lived an old fisherman who",
    "plain-en-verbs": "go, went, gone\nsee, saw, seen\ntake, took, taken\ngive,",
    "plain-en-numbers": "2, 4, 6, 8, 10, 12, 14, 16, 18, 20,",
    "plain-es-refran": "Los meses del año son enero, febrero, marzo, abril,",
    "plain-es-text": "La fotosíntesis es el proceso por el cual las plantas",
    "plain-code": "def fibonacci(n):\n    \"\"\"Return the n-th Fibonacci number.\"\"\"\n    if n"
};

async function sha256(file) {
    const hash = createHash("sha256");
    for await (const part of createReadStream(file)) hash.update(part);
    return hash.digest("hex");
}

/** Greedy continuation, and by how much each token was the best. */
async function continuation(sequence, promptIds) {
    await sequence.clearHistory();
    const run = {prompt_ids: promptIds, output_ids: [], second_ids: [], gap: [], p: []};
    let input = promptIds;
    while (run.output_ids.length < TOKENS) {
        const last = input.length - 1;
        const generateNext = {token: true, probabilities: true, options: {temperature: 0}};
        const result = await sequence.controlledEvaluate(
            input.map((id, at) => at === last ? [id, {generateNext}] : id)
        );
        const {token, probabilities} = result[last].next;
        const [[best, p], [second, q]] = probabilities;
        if (token !== best && probabilities.get(token) !== p) throw new Error("the sampler is not greedy");
        run.output_ids.push(token);
        run.second_ids.push(token === best ? second : best);
        // The softmax takes the same from both logits, so this is their difference.
        run.gap.push(Number(Math.log(p / q).toFixed(3)));
        run.p.push(Number(p.toPrecision(4)));
        input = [token];
    }
    return run;
}

async function main(out, files) {
    const llama = await getLlama({gpu: false, build: "never", skipDownload: true, maxThreads: 1, logLevel: "error"});
    const home = path.dirname(fileURLToPath(import.meta.resolve("node-llama-cpp")));
    const version = JSON.parse(readFileSync(path.join(home, "..", "package.json"), "utf8")).version;
    const header = {
        "node-llama-cpp": version,
        "llama.cpp": llama.llamaCppRelease.release,
        system: llama.systemInfo.trim(),
        threads: 1,
        models: []
    };
    const lines = Object.entries(PROMPTS).map(([name, prompt]) => ({name, prompt, runs: []}));
    for (const file of files) {
        const model = await llama.loadModel({modelPath: file, gpuLayers: 0});
        const context = await model.createContext({contextSize: CONTEXT, batchSize: CONTEXT, sequences: 1, threads: {ideal: 1, min: 1}});
        const sequence = context.getSequence();
        const eog = [...model.iterateAllTokens()].filter((token) => model.isEogToken(token));
        header.models.push({
            file: path.basename(file),
            sha256: await sha256(file),
            flash_attention: context.flashAttention,
            stop_ids: Object.fromEntries(eog.map((id) => [model.detokenize([id], true), id]))
        });
        for (const line of lines) {
            const ids = model.tokenize(line.prompt, true);
            if (model.detokenize(ids, true) !== line.prompt) throw new Error(`${line.name}: the tokens are not the text`);
            if (ids.length + TOKENS >= CONTEXT) throw new Error(`${line.name}: too long`);
            const run = await continuation(sequence, ids);
            const stop = run.output_ids.findIndex((id) => eog.includes(id));
            const text = model.detokenize(run.output_ids, true);
            line.runs.push({...run, stop: stop < 0 ? null : stop, text});
            const close = run.gap.findIndex((gap) => gap < 0.6);
            process.stderr.write(`${path.basename(file)} ${line.name}: ${ids.length} tokens, stop ${stop}, ` +
                `close at ${close}: ${JSON.stringify(text)}\n`);
        }
        await context.dispose();
        await model.dispose();
    }
    const prompts = lines.map((line) => JSON.stringify(line)).join(",\n");
    writeFileSync(out, `{"made_with": ${JSON.stringify(header)},\n"prompts": [\n${prompts}\n]}\n`);
    await llama.dispose();
}

const [out, ...files] = process.argv.slice(2);
if (files.length === 0) {
    process.stderr.write("node make_reference.mjs OUT.json MODEL.gguf…\n");
    process.exit(2);
}
await main(out, files);
