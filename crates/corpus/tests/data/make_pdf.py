"""Writes the PDF files of the test data: pip install reportlab==5.1.0, then python make_pdf.py.

kb/guide.pdf      two pages: a heading, paragraphs whose lines are broken by hand (hyphens
                  at line ends), one hyphen that stays, a list, text with accents
other/locked.pdf  the same, protected by a password
other/open.pdf    one line, encrypted with an empty password, as viewers open it
other/drawn.pdf   a page without any text
"""

from pathlib import Path

from reportlab.lib.pagesizes import A5
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

HERE = Path(__file__).parent
PAGES = [
    [
        ("Helvetica-Bold", 16, ["Care of the balance"]),
        (
            "Times-Roman",
            10,
            [
                "The needle of a balance is called its fiel. It shows which of the two pans car-",
                "ries more, and rests upright when they carry the same. A well-made needle is",
                "thin, for a thick one hides small differences; whoever buys a well-",
                "made one keeps it dry.",
            ],
        ),
        (
            "Times-Roman",
            10,
            [
                "Before you weigh, set the balance level and wait until the needle is still. On",
                "pages 3-",
                "5 of the booklet you find a table of tolerances.",
            ],
        ),
    ],
    [
        ("Helvetica-Bold", 12, ["Limpieza"]),
        (
            "Times-Roman",
            10,
            [
                "El platillo se limpia con un paño seco después de cada pesada. ¿Quedó hú-",
                "medo? Déjelo secar una hora.",
            ],
        ),
        ("Times-Roman", 10, ["- up to 2 kg: weekly", "- above 2 kg: daily"]),
    ],
]


def canvas(name, **more):
    # Without date and random id, the output is reproducible.
    return Canvas(str(HERE / name), pagesize=A5, invariant=1, **more)


def write(name, **more):
    page = canvas(name, **more)
    for paragraphs in PAGES:
        y = A5[1] - 50
        for font, size, lines in paragraphs:
            text = page.beginText(40, y)
            text.setFont(font, size, leading=1.2 * size)
            for line in lines:
                text.textLine(line)
            page.drawText(text)
            y = text.getY() - 0.8 * size
        page.showPage()
    page.save()


write("kb/guide.pdf")
write("other/locked.pdf", encrypt=StandardEncryption("secret", strength=128))

page = canvas(
    "other/open.pdf",
    encrypt=StandardEncryption("", ownerPassword="owner", strength=128),
)
page.drawString(40, 500, "Whoever opens it can read it.")
page.save()

page = canvas("other/drawn.pdf")
page.rect(40, 40, 100, 100)
page.save()
