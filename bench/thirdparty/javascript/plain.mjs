// All pairs in plain JavaScript, written for speed: a double loop over typed arrays, with arithmetic in doubles.
// Each function takes the points of a problem and the arrays that its results go to.

export function gravity({ count, position: p, mass, parameters: { G, softening } }, { acceleration }) {
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [p[3 * i], p[3 * i + 1], p[3 * i + 2]]
    let [ax, ay, az] = [0, 0, 0]
    for (let j = 0; j < count; j++) {
      const dx = p[3 * j] - x
      const dy = p[3 * j + 1] - y
      const dz = p[3 * j + 2] - z
      const s = dx * dx + dy * dy + dz * dz + softening * softening
      const c = mass[j] / (s * Math.sqrt(s))
      ax += c * dx
      ay += c * dy
      az += c * dz
    }
    acceleration[3 * i] = G * ax
    acceleration[3 * i + 1] = G * ay
    acceleration[3 * i + 2] = G * az
  }
}

export function pointGravity({ count, position: p, mass, parameters: { G } }, { acceleration }) {
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [p[3 * i], p[3 * i + 1], p[3 * i + 2]]
    let [ax, ay, az] = [0, 0, 0]
    for (let j = 0; j < count; j++) {
      const dx = p[3 * j] - x
      const dy = p[3 * j + 1] - y
      const dz = p[3 * j + 2] - z
      const r2 = dx * dx + dy * dy + dz * dz
      if (r2 === 0) continue
      const c = mass[j] / (r2 * Math.sqrt(r2))
      ax += c * dx
      ay += c * dy
      az += c * dz
    }
    acceleration[3 * i] = G * ax
    acceleration[3 * i + 1] = G * ay
    acceleration[3 * i + 2] = G * az
  }
}

export function coulomb({ count, position: p, charge, parameters: { k } }, { force }) {
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [p[3 * i], p[3 * i + 1], p[3 * i + 2]]
    let [fx, fy, fz] = [0, 0, 0]
    for (let j = 0; j < count; j++) {
      const dx = p[3 * j] - x
      const dy = p[3 * j + 1] - y
      const dz = p[3 * j + 2] - z
      const r2 = dx * dx + dy * dy + dz * dz
      if (r2 === 0) continue
      const c = charge[j] / (r2 * Math.sqrt(r2))
      fx += c * dx
      fy += c * dy
      fz += c * dz
    }
    const c = -k * charge[i]
    force[3 * i] = c * fx
    force[3 * i + 1] = c * fy
    force[3 * i + 2] = c * fz
  }
}

export function lennardJones({ count, position: p, sigma, epsilon, parameters }, { force }) {
  const { cutoff, boxX, boxY, boxZ } = parameters
  const [perX, perY, perZ] = [1 / boxX, 1 / boxY, 1 / boxZ]
  const depth = epsilon.map(Math.sqrt)
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [p[3 * i], p[3 * i + 1], p[3 * i + 2]]
    let [fx, fy, fz] = [0, 0, 0]
    for (let j = 0; j < count; j++) {
      let dx = p[3 * j] - x
      let dy = p[3 * j + 1] - y
      let dz = p[3 * j + 2] - z
      dx -= boxX * Math.round(dx * perX)
      dy -= boxY * Math.round(dy * perY)
      dz -= boxZ * Math.round(dz * perZ)
      const r2 = dx * dx + dy * dy + dz * dz
      if (r2 > cutoff * cutoff || r2 === 0) continue
      const s = 0.5 * (sigma[i] + sigma[j])
      const s2 = (s * s) / r2
      const s6 = s2 * s2 * s2
      const c = (depth[j] * s6 * (2 * s6 - 1)) / r2
      fx += c * dx
      fy += c * dy
      fz += c * dz
    }
    const c = -24 * depth[i]
    force[3 * i] = c * fx
    force[3 * i + 1] = c * fy
    force[3 * i + 2] = c * fz
  }
}

export function gaussian({ count, position: p, weight, parameters: { height, width } }, { potential }) {
  const steepness = -0.5 / (width * width)
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [p[3 * i], p[3 * i + 1], p[3 * i + 2]]
    let total = 0
    for (let j = 0; j < count; j++) {
      if (j === i) continue
      const dx = p[3 * j] - x
      const dy = p[3 * j + 1] - y
      const dz = p[3 * j + 2] - z
      total += weight[j] * Math.exp(steepness * (dx * dx + dy * dy + dz * dz))
    }
    potential[i] = height * weight[i] * total
  }
}

export function nearest({ count, position: p, k }, { index, distance }) {
  distance.fill(Number.POSITIVE_INFINITY)
  index.fill(-1)
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [p[3 * i], p[3 * i + 1], p[3 * i + 2]]
    const [first, last] = [k * i, k * i + k - 1]
    let worst = Number.POSITIVE_INFINITY
    for (let j = 0; j < count; j++) {
      const dx = p[3 * j] - x
      const dy = p[3 * j + 1] - y
      const dz = p[3 * j + 2] - z
      const r2 = dx * dx + dy * dy + dz * dz
      if (r2 >= worst || j === i) continue
      let place = last
      for (; place > first && distance[place - 1] > r2; place--) {
        distance[place] = distance[place - 1]
        index[place] = index[place - 1]
      }
      distance[place] = r2
      index[place] = j
      worst = distance[last]
    }
    for (let place = first; place <= last; place++) distance[place] = Math.sqrt(distance[place])
  }
}

export function argmin({ count, position: p }, { index, value }) {
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [p[3 * i], p[3 * i + 1], p[3 * i + 2]]
    let [least, at] = [Number.POSITIVE_INFINITY, -1]
    for (let j = 0; j < count; j++) {
      const dx = p[3 * j] - x
      const dy = p[3 * j + 1] - y
      const dz = p[3 * j + 2] - z
      const r2 = dx * dx + dy * dy + dz * dz
      if (r2 >= least || j === i) continue
      least = r2
      at = j
    }
    value[i] = least
    index[i] = at
  }
}

export function logsumexp({ count, position: p }, { value }) {
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [p[3 * i], p[3 * i + 1], p[3 * i + 2]]
    let [largest, total] = [Number.NEGATIVE_INFINITY, 0]
    for (let j = 0; j < count; j++) {
      if (j === i) continue
      const dx = p[3 * j] - x
      const dy = p[3 * j + 1] - y
      const dz = p[3 * j + 2] - z
      const term = -(dx * dx + dy * dy + dz * dz)
      if (term > largest) {
        total = total * Math.exp(largest - term) + 1
        largest = term
      } else total += Math.exp(term - largest)
    }
    value[i] = largest + Math.log(total)
  }
}

export function matrix({ count, position: p }, { value }) {
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [p[3 * i], p[3 * i + 1], p[3 * i + 2]]
    for (let j = 0; j < count; j++) {
      const dx = p[3 * j] - x
      const dy = p[3 * j + 1] - y
      const dz = p[3 * j + 2] - z
      value[count * i + j] = j === i ? 0 : Math.exp(-(dx * dx + dy * dy + dz * dz))
    }
  }
}

/** Gravity in two dimensions, inversely proportional to the distance: the law of d3-force. */
export function planarGravity({ count, position: p, mass }, { acceleration }) {
  for (let i = 0; i < count; i++) {
    const [x, y] = [p[2 * i], p[2 * i + 1]]
    let [fx, fy] = [0, 0]
    for (let j = 0; j < count; j++) {
      const dx = p[2 * j] - x
      const dy = p[2 * j + 1] - y
      const r2 = dx * dx + dy * dy
      if (r2 === 0) continue
      const c = mass[j] / r2
      fx += c * dx
      fy += c * dy
    }
    acceleration[2 * i] = fx
    acceleration[2 * i + 1] = fy
  }
}
