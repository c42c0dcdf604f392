/** A scene: points, the forces between them, and how to draw them. It holds no state and draws nothing. */

import type { Force, Integrator, Interaction } from 'manybody'

/** A law that the visitor may edit. */
export interface LawText {
  readonly kind: 'potential' | 'force' | 'term'
  /** The meaning of each expression, by its name in the law. */
  readonly expressions: Readonly<Record<string, string>>
  readonly parameters: Readonly<Record<string, Slider>>
  readonly inertia?: string
}

interface Slider {
  readonly value: number
  readonly least: number
  readonly most: number
}

/** Glowing points, solid balls, or triangles that point along their flight. */
export type Look = 'glow' | 'ball' | 'dart'

interface ScenePoints {
  readonly position: Float32Array<ArrayBuffer>
  readonly velocity?: Float32Array<ArrayBuffer>
  readonly dimension: 2 | 3
  readonly [attribute: string]: Float32Array<ArrayBuffer> | 2 | 3
}

export interface Scene {
  readonly name: string
  readonly title: string
  /** One sentence for the visitor. */
  readonly about: string
  readonly law: LawText
  /** Other laws to try, by title. */
  readonly others: Readonly<Record<string, LawText['expressions']>>
  readonly dt: number
  readonly integrator: Integrator
  /** Steps from one picture to the next. */
  readonly steps: number
  /** Whether work grows as the square of the count, or, with a cutoff, as the count. */
  readonly work: 'pairs' | 'near'
  readonly count: { readonly first: number; readonly most: number }
  points(count: number, seed: number): ScenePoints
  forces(law: Interaction, count: number, seed: number): readonly Force[]
  /** Pairs of points to join by lines. */
  edges?(count: number, seed: number): readonly (readonly [number, number])[]
  /** The edge of the periodic box, if there is one. */
  box?(count: number): number
  /** The conserved quantities. Their change is shown over time. */
  readonly conserves: readonly ('energy' | 'momentum')[]
  readonly look: Look
  /** Half the size of the first view. */
  radius(count: number): number
  /** Radius of a drawn point, a length. */
  readonly size: number
  /** The speed of the last colour. */
  fast(count: number): number
  /** How far the camera looks down from the pole, in radians; flat scenes have 0. */
  readonly tilt: number
}
