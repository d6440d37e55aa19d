"""The public Python API: values over what the command line answers with. `knightfall` names its parts."""
