/** Snapshots as files: the state of the simulation, together with the settings of the page. */

import type { SimulationState } from 'manybody'
import { fromText, toText } from './files.ts'
import { hashOf, sharedFrom } from './link.ts'
import type { Setup } from './setup.ts'

export interface Snapshot {
  readonly setup: Setup
  readonly state: SimulationState
}

export async function saveSnapshot({ setup, state }: Snapshot): Promise<void> {
  const page = await hashOf({ setup, fitting: false, running: true })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([toText({ page, state })], { type: 'application/json' }))
  link.download = `manybody-${setup.scene.name}-${state.steps}.json`
  link.click()
  URL.revokeObjectURL(link.href)
}

/** The contents of a file that the visitor chooses; undefined without a choice. @throws Error that names the fault of the file */
export async function askForSnapshot(): Promise<Snapshot | undefined> {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = '.json,application/json'
  const file = await new Promise<File | undefined>((resolve) => {
    input.addEventListener('change', () => resolve(input.files?.[0]))
    input.addEventListener('cancel', () => resolve(undefined))
    input.click()
  })
  if (!file) return undefined
  let held: unknown
  try {
    held = fromText(await file.text())
  } catch (cause) {
    throw new Error(`"${file.name}" expected a snapshot of this page, got a file that is not JSON`, { cause })
  }
  const { page, state } = Object(held) as { page?: unknown; state?: SimulationState }
  if (typeof page !== 'string' || !state?.arrays)
    throw new Error(`"${file.name}" expected a snapshot of this page, got other JSON`)
  return { setup: (await sharedFrom(page)).setup, state }
}
