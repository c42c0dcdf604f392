/**
 * Stochastic cell rescaling: the volume follows the pressure, with noise by which volumes have the distribution of a given pressure and
 * temperature.
 *
 * The root of the volume has noise of one size, so that a step of Euler's method is a step of second order on average. Velocities slow down
 * as the box grows: this replaces the pressure of a gas of as many points, which the equation would otherwise have.
 *
 * @source M. Bernetti and G. Bussi, J. Chem. Phys. 153 (2020) 114107, in the root of the volume
 * @module
 */
import { hash } from '../noise/random-states.ts'

interface Gap {
  /** The pressure now, less the one to keep. */
  readonly excess: number
  /** The temperature as an energy. */
  readonly heat: number
  /** The compressibility times the share of the relaxation time that has passed. */
  readonly rate: number
}

/** The next volume. @param noise a number with mean 0 and variance 1 */
export function nextVolume(volume: number, { excess, heat, rate }: Gap, noise: number): number {
  const root = Math.sqrt(volume)
  const change = (rate / 2) * root * (excess + heat / (2 * volume)) + Math.sqrt((rate * heat) / 2) * noise
  return (root + change) ** 2
}

/** A normally distributed number for a step, the same whenever that step is taken. */
export function normalAt(seed: number, step: number): number {
  const [u, v] = [0, 1].map((n) => (hash(n, seed, step) + 0.5) / 2 ** 32) as [number, number]
  return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * v)
}
