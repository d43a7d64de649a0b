"""A contract type for import-linter: modules may import the listed ones and no others.

Always allowed are the standard library, the modules of the source itself, and the
packages that it lies in, which are loaded with it.
"""

import sys
from typing import cast

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class OnlyContract(Contract):
    """`source_module` and all below it import `allowed_modules` (packages whole) alone."""

    type_name = "only"

    source_module = fields.StringField()
    allowed_modules = fields.ListField(subfield=fields.StringField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Collect the imports of anything else."""
        source = str(self.source_module)
        listed = cast("list[str] | None", self.allowed_modules) or []
        allowed = [source, *listed, *sys.stdlib_module_names]
        around = {source.rpartition(".")[0], source.partition(".")[0]}
        strangers = [
            f"{importer} imports {imported}"
            for importer in sorted({source, *graph.find_descendants(source)})
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            if imported not in around
            and not any(f"{imported}.".startswith(f"{module}.") for module in allowed)
        ]
        return ContractCheck(kept=not strangers, metadata={"strangers": strangers})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print the imports that are not allowed."""
        for stranger in check.metadata["strangers"]:
            output.print_error(stranger)
