/** The laws that constructors here have made. */

import { Known } from '../../ground/known.ts'
import type { Interaction } from './interaction.ts'

export const knownLaws: Known<Interaction> = new Known('law', ['symmetric'])
