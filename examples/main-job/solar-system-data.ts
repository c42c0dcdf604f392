/**
 * The outer solar system as published: masses, positions and velocities, and known periods.
 *
 * The origin is the barycentre, which was made without Pluto's small mass.
 *
 * Units: solar masses, astronomical units, days; the plane of the ecliptic is close to z = 0.
 *
 * @source J. H. Applegate, M. R. Douglas, Y. Gursel, G. J. Sussman, J. Wisdom, "The outer solar system for 200 million
 *   years", Astronomical Journal 92 (1986) 176: initial values for Julian day 2430000.5, January 1941; the Sun's mass
 *   includes the inner planets. Sidereal periods in Julian years: NASA JPL, Planetary Physical Parameters,
 *   https://ssd.jpl.nasa.gov/planets/phys_par.html
 */

type Vector = readonly [x: number, y: number, z: number]

export interface Body {
  readonly name: string
  readonly mass: number
  readonly position: Vector
  readonly velocity: Vector
}

export interface Planet extends Body {
  /** Known sidereal period, Julian years. */
  readonly period: number
}

/** Gauss' gravitational constant squared, AU^3 / (solar mass day^2). */
export const G = 0.01720209895 ** 2

export const daysPerYear = 365.25

export const sun: Body = {
  name: 'Sun',
  mass: 1.00000597682,
  position: [-4.06428567034226e-3, -6.08813756435987e-3, -1.66162304225834e-6],
  velocity: [6.69048890636161e-6, -6.33922479583593e-6, -3.13202145590767e-9],
}

export const planets: readonly Planet[] = [
  {
    name: 'Jupiter',
    mass: 1 / 1047.355,
    position: [3.40546614227466, 3.62978190075864, 3.42386261766577e-2],
    velocity: [-5.59797969310664e-3, 5.51815399480116e-3, -2.66711392865591e-6],
    period: 11.862615,
  },
  {
    name: 'Saturn',
    mass: 1 / 3501.6,
    position: [6.60801554403466, 6.38084674585064, -1.36145963724542e-1],
    velocity: [-4.17354020307064e-3, 3.99723751748116e-3, 1.67206320571441e-5],
    period: 29.447498,
  },
  {
    name: 'Uranus',
    mass: 1 / 22869,
    position: [11.1636331405597, 16.0373479057256, 3.61783279369958e-1],
    velocity: [-3.25884806151064e-3, 2.06438412905916e-3, -2.17699042180559e-5],
    period: 84.016846,
  },
  {
    name: 'Neptune',
    mass: 1 / 19314,
    position: [-30.1777243405203, 1.91155314998064, -1.53887595621042e-1],
    velocity: [-2.17471785045538e-4, -3.11361111025884e-3, 3.58344705491441e-5],
    period: 164.79132,
  },
  {
    name: 'Pluto',
    mass: 7.4074074e-9,
    position: [-21.3858977531573, 32.0719104739886, 2.49245689556096],
    velocity: [-1.76936577252484e-3, -2.06720938381724e-3, 6.58091931493844e-4],
    period: 247.92065,
  },
]
