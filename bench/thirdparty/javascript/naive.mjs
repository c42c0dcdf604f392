// All pairs in plain JavaScript, in the style of a first version: objects, formulas and powers as in a book.

const objects = ({ count, position: p, mass, charge, sigma, epsilon, weight }) =>
  Array.from({ length: count }, (_, i) => ({
    x: p[3 * i],
    y: p[3 * i + 1],
    z: p[3 * i + 2],
    mass: mass?.[i],
    charge: charge?.[i],
    sigma: sigma?.[i],
    epsilon: epsilon?.[i],
    weight: weight?.[i],
  }))

export function gravity(points, { acceleration }) {
  const { G, softening } = points.parameters
  const bodies = objects(points)
  bodies.forEach((a, i) => {
    const total = { x: 0, y: 0, z: 0 }
    for (const b of bodies) {
      if (a === b) continue
      const dx = b.x - a.x
      const dy = b.y - a.y
      const dz = b.z - a.z
      const r2 = dx ** 2 + dy ** 2 + dz ** 2
      const c = (G * b.mass) / (r2 + softening ** 2) ** 1.5
      total.x += c * dx
      total.y += c * dy
      total.z += c * dz
    }
    acceleration.set([total.x, total.y, total.z], 3 * i)
  })
}

export function coulomb(points, { force }) {
  const { k } = points.parameters
  const bodies = objects(points)
  bodies.forEach((a, i) => {
    const total = { x: 0, y: 0, z: 0 }
    for (const b of bodies) {
      if (a === b) continue
      const dx = b.x - a.x
      const dy = b.y - a.y
      const dz = b.z - a.z
      const c = (-k * a.charge * b.charge) / (dx ** 2 + dy ** 2 + dz ** 2) ** 1.5
      total.x += c * dx
      total.y += c * dy
      total.z += c * dz
    }
    force.set([total.x, total.y, total.z], 3 * i)
  })
}

export function lennardJones(points, { force }) {
  const { cutoff, boxX, boxY, boxZ } = points.parameters
  const bodies = objects(points)
  bodies.forEach((a, i) => {
    const total = { x: 0, y: 0, z: 0 }
    for (const b of bodies) {
      if (a === b) continue
      const dx = b.x - a.x - boxX * Math.round((b.x - a.x) / boxX)
      const dy = b.y - a.y - boxY * Math.round((b.y - a.y) / boxY)
      const dz = b.z - a.z - boxZ * Math.round((b.z - a.z) / boxZ)
      const r = Math.sqrt(dx ** 2 + dy ** 2 + dz ** 2)
      if (r > cutoff) continue
      const sigma = (a.sigma + b.sigma) / 2
      const epsilon = Math.sqrt(a.epsilon * b.epsilon)
      const c = (-24 * epsilon * (2 * (sigma / r) ** 12 - (sigma / r) ** 6)) / r ** 2
      total.x += c * dx
      total.y += c * dy
      total.z += c * dz
    }
    force.set([total.x, total.y, total.z], 3 * i)
  })
}

export function gaussian(points, { potential }) {
  const { height, width } = points.parameters
  const bodies = objects(points)
  bodies.forEach((a, i) => {
    potential[i] = bodies.reduce((total, b) => {
      if (a === b) return total
      const r2 = (b.x - a.x) ** 2 + (b.y - a.y) ** 2 + (b.z - a.z) ** 2
      return total + height * a.weight * b.weight * Math.exp(-r2 / (2 * width ** 2))
    }, 0)
  })
}
