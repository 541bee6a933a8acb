"""A page of the manual as a program, and as steps that a reader follows."""

import os
import re
import subprocess


class Failure(Exception):
    pass


class Block:
    """A fenced block of code."""

    def __init__(self, language, text, line, paragraph):
        self.language = language
        self.text = text
        # The line of the page after the opening fence, counted from 1.
        self.line = line
        # The last paragraph before the block.
        self.paragraph = paragraph

    @property
    def file(self):
        """The path of the file that the paragraph introduces: "the file `Package.swift`"."""
        names = re.findall(r"file\s+`([^`]+)`", self.paragraph)
        return names[-1] if names else None


class Page:
    def __init__(self, path):
        self.name = os.path.basename(path)[: -len(".md")]
        self.blocks = []
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        paragraph, index = [], 0
        while index < len(lines):
            fence = re.fullmatch(r"```(\w*)", lines[index])
            if fence:
                end = lines.index("```", index + 1)
                self.blocks.append(Block(fence[1], "\n".join(lines[index + 1 : end]) + "\n", index + 2, " ".join(paragraph)))
                paragraph, index = [], end
            elif lines[index].strip():
                if index > 0 and not lines[index - 1].strip():
                    paragraph = []
                paragraph.append(lines[index])
            index += 1

    def replace(self, old, new):
        for block in self.blocks:
            block.text = block.text.replace(old, new)

    # As a program

    @property
    def program_blocks(self):
        return [block for block in self.blocks if block.language == "swift" and not block.text.startswith("// Package.swift")]

    @property
    def program(self):
        """The Swift blocks, joined."""
        if not self.program_blocks:
            raise Failure(f"{self.name} has no program")
        return "\n".join(block.text for block in self.program_blocks)

    @property
    def expected_output(self):
        blocks = [block for block in self.blocks if block.language == "text" and "program prints" in block.paragraph]
        if len(blocks) != 1:
            raise Failure(f"{self.name} has {len(blocks)} blocks after 'The program prints:'; it needs one")
        return blocks[0].text.strip()

    def with_lines_of_the_page(self, text, path):
        """Messages about the program with the lines of the page."""

        def page_line(match):
            line = int(match[1])
            for block in self.program_blocks:
                count = block.text.count("\n") + 1
                if line <= count:
                    return f"{self.name}.md:{block.line + line - 1}"
                line -= count
            return match[0]

        return re.sub(re.escape(path) + r":(\d+)", page_line, text)

    # As steps

    def follow(self, folder, shell, environment):
        """Writes the files of the page, runs its commands, and compares what they print.

        - shell: what the shell reads before each command.
        """
        printed = None
        for block in self.blocks:
            if block.file and block.language in ("swift", "xml", "json"):
                path = os.path.join(folder, block.file)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(block.text)
            elif block.language == "sh":
                result = subprocess.run(
                    ["bash", "-e", "-c", shell + block.text],
                    cwd=folder,
                    env=environment,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                    timeout=1200,
                )
                if result.returncode != 0:
                    raise Failure(
                        f"{self.name}.md:{block.line}: exit code {result.returncode}\n{block.text}{result.stdout}{result.stderr}"
                    )
                printed = result.stdout
            elif block.language == "text" and printed is not None:
                if printed.strip() != block.text.strip():
                    raise Failure(f"{self.name}.md:{block.line}: the command printed\n{printed}\ninstead of\n{block.text}")
                printed = None
