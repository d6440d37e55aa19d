"""The verbs of the night, one file each: what does it do to the sheet?"""
