/** The laws that constructors here have made. */

import { Known } from '../../ground/made-or-given.ts'
import type { Interaction } from './interaction.ts'

export const knownLaws: Known<Interaction> = new Known('law', ['symmetric'], true)
