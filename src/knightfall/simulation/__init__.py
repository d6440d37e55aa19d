"""How a setup would end, played many times: compact nights, policies, chunks on any number of cores."""
