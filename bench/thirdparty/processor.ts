/** What all rivals in Node run on. */

import { cpus } from 'node:os'

export const processor = (): string => cpus()[0]?.model.trim() ?? 'unknown processor'
