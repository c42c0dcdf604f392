/**
 * Equal workloads are one object where a short text tells them apart, so that whatever was derived from the first is known for the others.
 * Those of pairs are known by their law, and others by their text.
 *
 * @module
 */
import { Remembered } from '../../ground/remember.ts'
import { RememberedTexts } from '../../ground/remember-texts.ts'
import type { Interaction } from '../interactions/interaction.ts'
import type { Workload } from './workload.ts'

const ofLaws = new Remembered<Interaction, RememberedTexts<Workload>>()
const ofPoints = new RememberedTexts<Workload>(2 ** 16)
/** The most characters of the texts that tell the workloads of one law apart. */
const mostOfLaw = 2 ** 12

/** The workload that was made before with the same data, or this one. */
export function firstMade<W extends Workload>(workload: W): W {
  if (!isTold(workload)) return workload
  const { law, ...rest } = { law: undefined, ...workload }
  const known = law ? ofLaws.of(law, () => new RememberedTexts(mostOfLaw)) : ofPoints
  return known.of(JSON.stringify(rest), () => workload) as W
}

/** Whether a text tells a workload from all others. It lacks the sign of 0, a method is any data, and exclusions may be long. */
function isTold(workload: Workload): boolean {
  if (workload.loop === 'pair') return workload.method === undefined && workload.domain.exclusions.length === 0
  return 'parameters' in workload && !Object.values(workload.parameters).some((value) => Object.is(value, -0))
}
