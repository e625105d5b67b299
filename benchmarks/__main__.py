"""All that is measured, in one run: ``python -m benchmarks``, from the folder of the README."""

from benchmarks import browser, core, others

for part in (browser, core, others):
    print(f"# {part.__doc__.splitlines()[0]}\n", flush=True)
    part.main()
    print(flush=True)
