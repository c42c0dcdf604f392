// The main job: what `npm start` runs.

import * as manybody from 'manybody'

console.log(`manybody exports ${Object.keys(manybody).length} names`)
