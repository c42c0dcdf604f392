/** The choices of a visitor, and the form that offers them. */

import type { BackendSpec } from '../src/contenders/backend.ts'
import { type ProblemSpec, problemOf } from '../src/problem.ts'
import { html, type Markup } from '../src/report/html/markup.ts'
import type { Found } from './devices.ts'

const laws = ['gravity', 'coulomb', 'lennard-jones', 'yukawa', 'biot-savart']
const sizes = ['256', '1024', '4096', '16384', '65536']

export const lawBoxes = (): Markup => boxes('law', laws, (law) => law === 'gravity')
export const sizeBoxes = (): Markup => boxes('size', sizes, (size) => size !== '65536')

/** The reference is not selected at first, because it is so slow that the page would seem to stand still. */
export function backendBoxes(found: readonly Found[]): Markup {
  const available = new Set(found.flatMap(({ backend, probe }) => (probe.available ? [backend] : [])))
  const names = found.map(({ backend }) => backend)
  return boxes(
    'backend',
    names,
    (name) => available.has(name) && name !== 'reference',
    (name) => !available.has(name),
  )
}

type Is = (value: string) => boolean

const boxes = (name: string, values: readonly string[], isChecked: Is, isDisabled: Is = () => false): Markup =>
  html`${values.map(
    (value) =>
      html`<label><input type="checkbox" name="${name}" value="${value}"${isChecked(value) && html` checked`}${isDisabled(value) && html` disabled`}> ${value}</label>`,
  )}`

export interface Chosen {
  readonly problems: readonly ProblemSpec[]
  readonly contenders: readonly BackendSpec[]
  readonly seconds: number
}

/** @throws Error that names a missing choice, or the place where a typed law fails to parse */
export function chosen(form: HTMLFormElement): Chosen {
  const data = new FormData(form)
  const all = (name: string) => data.getAll(name).map(String)
  const expression = String(data.get('expression') ?? '').trim()
  const whats = expression === '' ? all('law').map((law) => ({ law })) : [{ expression }]
  const problems = whats.flatMap((what) => all('size').map((size) => ({ what, count: Number(size), seed: 1 })))
  const contenders = all('backend').map((backend) => ({ backend }))
  if (problems.length === 0) throw new Error('Choose a law and a number of points.')
  if (contenders.length === 0) throw new Error('Choose a backend.')
  for (const what of whats) problemOf({ what, count: 2, seed: 1 })
  return { problems, contenders, seconds: Number(data.get('seconds')) }
}
