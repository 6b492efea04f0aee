"""The texts that the worker continues and that the recorded rows come from.

All of them were written for this project. Each is 40 to 120 tokens long, so that rows can be
recorded at early and late positions of the text itself and of the model's continuation.
"""

from typing import NamedTuple


class Prompt(NamedTuple):
    name: str
    kind: str  # "prose", "code" or "other" (lists, tables, dialogue, several languages)
    text: str


PROMPTS = (
    Prompt(
        "harbour",
        "prose",
        "The harbour was quiet when Ines came down with the lantern. Two boats had gone out "
        "before the rain and neither had come back, so she counted the empty moorings again, "
        "slowly, as if the number could change. Behind her the old baker opened his shutters "
        "and said that",
    ),
    Prompt(
        "python_window",
        "code",
        "def sliding_mean(values, width):\n"
        '    """Yields the mean of each run of `width` neighbours in `values`."""\n'
        "    if width < 1:\n"
        '        raise ValueError("width must be at least 1")\n'
        "    total = 0.0\n"
        "    for i, value in enumerate(values):\n"
        "        total += value\n"
        "        if i >= width:\n",
    ),
    Prompt(
        "glacier",
        "prose",
        "A glacier moves in two ways. Ice deep inside it deforms under its own weight, a "
        "little each day, and where the bottom is wet the whole mass slides over the rock. "
        "Because the second motion depends on meltwater, a glacier is usually faster in",
    ),
    Prompt(
        "cpp_ring",
        "code",
        "// A queue of fixed capacity for one producer and one consumer.\n"
        "template <typename T, size_t kCapacity>\n"
        "class Ring {\n"
        " public:\n"
        "  bool Push(const T& item) {\n"
        "    const size_t tail = tail_.load(std::memory_order_relaxed);\n"
        "    const size_t next = (tail + 1) % kCapacity;\n",
    ),
    Prompt(
        "letter",
        "prose",
        "Dear Mr. Okafor,\n\n"
        "Thank you for the plans of the school library, which reached us on Monday. We like "
        "the reading room very much. Our only worry is the glass wall to the south: in June "
        "the afternoon sun will heat the room, and we would therefore ask you to",
    ),
    Prompt(
        "sql_orders",
        "code",
        "-- Customers who ordered in March but not in April, with what they spent.\n"
        "SELECT c.id, c.name, SUM(o.amount) AS spent\n"
        "FROM customers AS c\n"
        "JOIN orders AS o ON o.customer_id = c.id\n"
        "WHERE o.ordered_on >= DATE '2024-03-01'\n"
        "  AND o.ordered_on <",
    ),
    Prompt(
        "market_report",
        "prose",
        "Wheat prices fell for a third week on Thursday after rain in the southern provinces "
        "eased fears of a poor harvest. Traders said that stocks were still low and that the "
        "port strike, now in its ninth day, could push prices up again if",
    ),
    Prompt(
        "shell_backup",
        "code",
        "#!/bin/sh\n"
        "# Copies the photos folder to the backup disk and keeps the last seven copies.\n"
        "set -eu\n"
        'source_dir="$HOME/photos"\n'
        'target_dir="/mnt/backup/photos"\n'
        "today=$(date +%Y-%m-%d)\n\n"
        'mkdir -p "$target_dir"\n',
    ),
    Prompt(
        "soup",
        "other",
        "Leek and potato soup\n\n"
        "Ingredients:\n"
        "- 3 leeks, washed and sliced\n"
        "- 400 g potatoes\n"
        "- 1 litre of vegetable stock\n"
        "- a spoon of butter\n\n"
        "Method:\n"
        "1. Melt the butter in a large pot.\n"
        "2. Add the leeks and cook them gently for ten minutes.\n"
        "3.",
    ),
    Prompt(
        "json_config",
        "code",
        "{\n"
        '  "service": "thermostat",\n'
        '  "version": 3,\n'
        '  "rooms": [\n'
        '    {"name": "kitchen", "target_celsius": 20.5, "schedule": ["06:30", "22:00"]},\n'
        '    {"name": "study", "target_celsius": 19.0, "schedule": ["08:00", "18:30"]},\n'
        '    {"name":',
    ),
    Prompt(
        "dialogue",
        "other",
        '"You are late," said Marta.\n'
        '"The bridge was closed."\n'
        '"The bridge is always closed on Fridays. You know that."\n'
        "He put the parcel on the table and did not sit down.\n"
        '"Open it," he said.\n'
        '"Why?"\n',
    ),
    Prompt(
        "rust_parse",
        "code",
        "/// Parses `key=value` pairs separated by commas.\n"
        "fn parse_pairs(text: &str) -> Result<HashMap<String, f64>, ParseError> {\n"
        "    let mut pairs = HashMap::new();\n"
        "    for part in text.split(',') {\n"
        "        let (key, value) = part.split_once('=')",
    ),
    Prompt(
        "german",
        "other",
        "Am Morgen lag Nebel über dem Fluss, und die Fähre fuhr erst eine Stunde später als "
        "sonst. Die Kinder, die zur Schule mussten, standen am Steg und warfen kleine Steine "
        "ins Wasser. Der Fährmann sagte, er habe",
    ),
    Prompt(
        "js_debounce",
        "code",
        "// Calls `action` once, when no call has come for `delayMs` milliseconds.\n"
        "export function debounce(action, delayMs) {\n"
        "  let timer = null;\n"
        "  return (...args) => {\n"
        "    if (timer !== null) {\n",
    ),
    Prompt(
        "french",
        "other",
        "La bibliothèque ferme à six heures, mais le gardien laisse souvent les étudiants "
        "terminer leur page. Hier soir, il a trouvé un carnet oublié sous une chaise. Sur la "
        "première page, quelqu'un avait écrit",
    ),
    Prompt(
        "arithmetic",
        "other",
        "A train leaves at 9:40 and travels 180 kilometres at 90 kilometres per hour. It waits "
        "15 minutes and then travels another 60 kilometres at the same speed.\n"
        "First leg: 180 / 90 = 2 hours.\n"
        "Wait: 15 minutes.\n"
        "Second leg: 60 / 90 =",
    ),
    Prompt(
        "seabirds",
        "prose",
        "Seabirds that nest on cliffs lay eggs that are more pointed than those of other "
        "birds. The usual story is that a pointed egg rolls in a small circle and stays on the "
        "ledge. Measurements on real ledges, however, suggest another reason:",
    ),
    Prompt(
        "html_form",
        "code",
        "<!-- The form with which a visitor books a seat. -->\n"
        '<form action="/book" method="post">\n'
        '  <label for="name">Name</label>\n'
        '  <input id="name" name="name" type="text" required>\n'
        '  <label for="seats">Seats</label>\n'
        "  <input",
    ),
    Prompt(
        "workshop",
        "prose",
        "In the first year of the workshop nobody was allowed to touch the lathe. We swept, we "
        "sorted screws, we learned the names of woods by their smell. Only much later did I "
        "understand what the master had wanted from us, which was not patience but",
    ),
    Prompt(
        "chinese",
        "other",
        "村子后面有一条小路，一直通到山上的茶园。每年春天，祖母都会在天亮以前出门，因为她"
        "说带着露水的茶叶最香。今年她没有去，",
    ),
)
