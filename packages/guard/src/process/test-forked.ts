/** Says what it hears; ends when its channel closes, and with `deaf` by no TERM. */
if (process.argv.includes('deaf')) process.on('SIGTERM', () => {})
process.on('message', (message) => process.send?.({ heard: message, secret: process.env.SECRET }))
process.on('disconnect', () => process.exit(7))
process.stdout.write('begun\n')
process.send?.({ ready: true })
