/** The device of all rivals in Node. */

import { cpus } from 'node:os'

export const processor = (): string => cpus()[0]?.model.trim() ?? 'unknown processor'
