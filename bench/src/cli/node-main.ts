// Bare Node: what no program can be faster than.
process.stdout.write('> ')
process.stdin.resume()
