import { createWorkspaces } from './workspaces.ts'

// A process that archives, or brings back, the workspaces under a root, and dies by SIGKILL before
// the step that its arguments name.
const [root = '', verb = '', deadlyStep = '', now = ''] = process.argv.slice(2)

const workspaces = createWorkspaces({
  root,
  clock: {
    now: () => Number(now),
    monotonic: () => performance.now(),
    after: (ms, run) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  },
  onStep(step) {
    if (step === deadlyStep) process.kill(process.pid, 'SIGKILL')
  },
})
if (verb === 'archive') await workspaces.sweep()
else await workspaces.use({ tenant_id: 'default', user_id: 'ada' }, async () => {})
await workspaces[Symbol.asyncDispose]()
