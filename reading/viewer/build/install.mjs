// Runs `npm ci` only if node_modules does not match package-lock.json, because it takes longer than the build itself.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const stamp = 'node_modules/.kymo-installed';
const wanted = createHash('sha256')
  .update(process.version)
  .update(readFileSync('package.json'))
  .update(readFileSync('package-lock.json'))
  .digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  execFileSync('npm', ['ci', '--no-progress', '--loglevel=error'], { stdio: 'inherit' });
  writeFileSync(stamp, wanted);
}
