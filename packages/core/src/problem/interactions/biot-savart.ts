/**
 * The velocity induced by vortex particles: a vector law that does not obey Newton's third law.
 *
 * @module
 */
import { pairTerm } from './define.ts'
import type { Law } from './interaction.ts'

/**
 * Velocity at the target induced by the vortex strength of the source, in 3-D.
 *
 * `u_i = 1/(4 pi) sum_j w_j x (x_i - x_j) / (r^2 + softening^2)^(3/2)`:
 * a vortex along +z turns the fluid counterclockwise seen from +z.
 *
 * @unit strength `wx, wy, wz` in length^3/time (vorticity times volume); the result in length/time
 * @reads `wx`, `wy`, `wz` of sources
 * @source G.-H. Cottet and P. D. Koumoutsakos, Vortex Methods: Theory and Practice, Cambridge 2000, chapter 1
 */
export const biotSavart: Law<'softening'> = pairTerm(
  {
    ux: '(wz_j*dy - wy_j*dz)/(4*pi*s^3); s = sqrt(r2 + softening^2)',
    uy: '(wx_j*dz - wz_j*dx)/(4*pi*s^3); s = sqrt(r2 + softening^2)',
    uz: '(wy_j*dx - wx_j*dy)/(4*pi*s^3); s = sqrt(r2 + softening^2)',
  },
  {
    name: 'biot-savart',
    parameters: { softening: 0 },
    minimum: { softening: 0 },
    sampling: { r: [0.1, 5], wx: [-1, 1], wy: [-1, 1], wz: [-1, 1], softening: [0, 0.5] },
  },
)
