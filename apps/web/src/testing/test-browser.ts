import { callingTestFile, ensureBinary, reportSkip } from '@dataagent/testkit'
import { type Browser, chromium } from 'playwright-core'

/** A real Chromium, without a window; undefined, said loudly, where there is none. */
export async function startBrowser(): Promise<Browser | undefined> {
  const testFile = callingTestFile()
  const executablePath = await ensureBinary('chromium', 'chromium')
  if (executablePath === undefined) {
    reportSkip(testFile, 'Chromium is not here and cannot be installed')
    return undefined
  }
  // Root has no user namespace to sandbox in; the pages are our own.
  const args = ['--no-sandbox', '--disable-dev-shm-usage', `--disable-features=${without.join()}`]
  return chromium.launch({ executablePath, args })
}

/**
 * For each page it would fill the lists below its address bar, at more than the page itself costs.
 * The last such switch alone counts: the rest is what Playwright switches off.
 */
const without = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'AimEnabled', 'LensOverlay', 'MediaRouter'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'PaintHolding'],
  ...['HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'ThirdPartyStoragePartitioning'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying'],
  'PreconnectToSearch',
]
