// The prose of a file, and two habits in it. It knows no files: `scripts/prose.ts` reads them.

/** The habits, and how many times in a thousand words each may occur. */
export const habits = {
  what: { pattern: /\bwhat\b/gi, limit: 1.4 },
  which: {
    pattern:
      /\b(?:of|in|for|by|from|to|with|on|at|into|after|under|over|without|through|beyond|behind|between) which\b|\bwhose\b/gi,
    limit: 1.8,
  },
} as const

export type Habit = keyof typeof habits

/** A place of a habit: its line, counted from 1, and the text of that line. */
export interface Place {
  readonly habit: Habit
  readonly line: number
  readonly text: string
}

const tokens =
  /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|(?<comment>\/\*[\s\S]*?\*\/|\/\/[^\n]*)|\n/g

/** Comments of code, or a manual without its code, each on its own line. */
export function proseOf(text: string, kind: 'code' | 'manual'): string {
  const blank = (part: string) => part.replaceAll(/[^\n]/g, '')
  if (kind === 'manual') return text.replaceAll(/^```[\s\S]*?^```|`[^`\n]*`/gm, blank)
  let prose = ''
  for (const { 0: part, groups } of text.matchAll(tokens)) prose += groups?.comment ?? blank(part)
  return prose
}

export function placesIn(prose: string): readonly Place[] {
  return prose
    .split('\n')
    .flatMap((text, n) =>
      Object.entries(habits).flatMap(([habit, { pattern }]) =>
        [...text.matchAll(pattern)].map(() => ({ habit: habit as Habit, line: n + 1, text: text.trim() })),
      ),
    )
}
