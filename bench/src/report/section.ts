/** A part of a report as data: a table, with remarks above it and notes below. `print.ts` and `html/` show it. */

export interface Table {
  readonly head: readonly string[]
  /** `l` or `r` for each column. */
  readonly aligns: string
  readonly lines: readonly (readonly string[])[]
  /** The columns that a narrow terminal leaves out, in this order. */
  readonly spare?: readonly string[]
}

export interface Section {
  readonly title?: string
  readonly remarks?: readonly string[]
  readonly table?: Table
  readonly notes?: readonly string[]
}

/** Stands for a table without lines. */
export const noFigure = 'No figure for any contender.'
