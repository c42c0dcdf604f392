/** What all rivals in Node run on. */

import { cpus } from 'node:os'
import type { Who } from '../src/record.ts'

export const processor = (): string => cpus()[0]?.model.trim() ?? 'unknown processor'

/** A rival on the processor, on one thread unless it says otherwise. */
export const rivalHere = (about: Pick<Who, 'name' | 'precision'> & Partial<Who>): Who => ({
  rival: true,
  device: processor(),
  kind: 'cpu',
  threads: 1,
  ...about,
})
