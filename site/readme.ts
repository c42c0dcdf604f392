// The parts of the README that the home page shows.

/** As Markdown, with links from the root of the repository. */
export interface Parts {
  readonly example: string
  readonly figures: string
}

export function partsOf(readme: string): Parts {
  const found = (pattern: RegExp, what: string): string => {
    const [, text] = pattern.exec(readme) ?? []
    if (text === undefined) throw new Error(`README.md: expected ${what}`)
    return text.trim()
  }
  return {
    example: found(/<!-- example -->\n([\s\S]*?)\n\[<img /, '"<!-- example -->" before the picture'),
    figures: found(/\n## How fast\n([\s\S]*?)\n## /, 'a section "How fast"'),
  }
}
