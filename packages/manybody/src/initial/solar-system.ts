/**
 * The Sun, the planets and Pluto at the epoch J2000 (2000-01-01, 12:00 TT).
 *
 * @module
 */
import { centred, type InitialPoints } from './points.ts'

/** Gauss' gravitational constant, in au^3/(day^2 solar mass). */
const G = 0.01720209895 ** 2

/** Semimajor axis in au, eccentricity; in degrees: inclination, mean longitude, longitudes of perihelion and node; and 1/mass. */
const planets: Readonly<Record<string, readonly [number, number, number, number, number, number, number]>> = {
  Mercury: [0.38709927, 0.20563593, 7.00497902, 252.2503235, 77.45779628, 48.33076593, 6.0236e6],
  Venus: [0.72333566, 0.00677672, 3.39467605, 181.9790995, 131.60246718, 76.67984255, 4.08523719e5],
  // With the Moon.
  Earth: [1.00000261, 0.01671123, -0.00001531, 100.46457166, 102.93768193, 0, 3.289005614e5],
  Mars: [1.52371034, 0.0933941, 1.84969142, -4.55343205, -23.94362959, 49.55953891, 3.09870359e6],
  Jupiter: [5.202887, 0.04838624, 1.30439695, 34.39644051, 14.72847983, 100.47390909, 1.047348644e3],
  Saturn: [9.53667594, 0.05386179, 2.48599187, 49.95424423, 92.59887831, 113.66242448, 3.4979018e3],
  Uranus: [19.18916464, 0.04725744, 0.77263783, 313.23810451, 170.9542763, 74.01692503, 2.290298e4],
  Neptune: [30.06992276, 0.00859048, 1.77004347, -55.12002969, 44.96476227, 131.78422574, 1.941226e4],
  Pluto: [39.48211675, 0.2488273, 17.14001206, 238.92903833, 224.06891629, 110.30393684, 1.36566e8],
}

/**
 * The Sun first, then the planets from the inside, and Pluto, in au, days and solar masses. Use `gravity({ G })` with the returned `G`. The
 * plane is the ecliptic of J2000; the centre of mass rests at the origin. Places are right within some arc minutes.
 *
 * @source E. M. Standish and J. G. Williams, "Keplerian elements for approximate positions of the major planets", table 1, JPL Solar
 *   System Dynamics; masses: IAU 2009 system of astronomical constants, Luzum et al., Celest. Mech. Dyn. Astron. 110 (2011) 293
 */
export function solarSystem(): InitialPoints & { readonly names: readonly string[]; readonly G: number } {
  const all = Object.values(planets)
  const position = new Float64Array(3 * (all.length + 1))
  const velocity = new Float64Array(3 * (all.length + 1))
  const mass = Float64Array.of(1, ...all.map((elements) => 1 / elements[6]))
  for (const [n, elements] of all.entries()) {
    const [place, speed] = onOrbit(elements, 1 + (mass[n + 1] as number))
    position.set(place, 3 * (n + 1))
    velocity.set(speed, 3 * (n + 1))
  }
  return { ...centred({ position, velocity, mass }), names: ['Sun', ...Object.keys(planets)], G }
}

type Vector = readonly [number, number, number]

/** Place and velocity relative to the Sun. @param mass of both bodies together */
function onOrbit(elements: readonly number[], mass: number): readonly [Vector, Vector] {
  const [a = 1, e = 0, ...degrees] = elements
  const [inclination = 0, longitude = 0, perihelion = 0, node = 0] = degrees.map((angle) => (angle * Math.PI) / 180)
  const anomaly = longitude - perihelion
  // Kepler's equation, by Newton's method.
  let E = anomaly
  for (let n = 0; n < 20; n++) E -= (E - e * Math.sin(E) - anomaly) / (1 - e * Math.cos(E))
  const root = Math.sqrt(1 - e * e)
  const rate = Math.sqrt((G * mass) / a ** 3) / (1 - e * Math.cos(E))
  const turned = (x: number, y: number): Vector => {
    const argument = perihelion - node
    const [u, v] = [x * Math.cos(argument) - y * Math.sin(argument), x * Math.sin(argument) + y * Math.cos(argument)]
    const w = v * Math.cos(inclination)
    return [u * Math.cos(node) - w * Math.sin(node), u * Math.sin(node) + w * Math.cos(node), v * Math.sin(inclination)]
  }
  return [
    turned(a * (Math.cos(E) - e), a * root * Math.sin(E)),
    turned(-a * rate * Math.sin(E), a * rate * root * Math.cos(E)),
  ]
}
